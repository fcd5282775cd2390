// SPDX-License-Identifier: MIT
// Workspaces: which pages of the panel are shown, whether triangles and timeline are. Each is as it was left, also
// another day: the browser keeps them.

import {byId, make} from '../base/elements.js';

const fresh = {
  Shape: {tab: 'Xforms', stays: null, triangles: true, timeline: false},
  Color: {tab: 'Look', stays: 'Palette', triangles: false, timeline: false},
  Film: {tab: 'Xforms', stays: null, triangles: true, timeline: true}
};

export const roomNames = Object.keys(fresh);

export class Rooms {
  constructor(page) {
    this.page = page;
    this.kept = {...fresh, ...JSON.parse(localStorage.getItem('rooms') ?? '{}')};
    this.select = byId('rooms');
    this.select.append(
        ...roomNames.map(name => make('option', {value: name}, name)),
        make('option', {value: '', hidden: true}, 'Workspace'));
    this.select.value = localStorage.getItem('room') ?? '';
    this.select.addEventListener('change', () => this.enter(this.select.value));
  }

  get now() {
    const {tabs, triangles, timeline} = this.page;
    return {
      tab: tabs.names[tabs.index],
      stays: tabs.names[tabs.stays] ?? null,
      triangles: triangles.shown,
      timeline: timeline.open
    };
  }

  /// The one that is left is kept as it is now.
  enter(name) {
    const {page} = this, left = localStorage.getItem('room');
    if (left in this.kept) this.kept[left] = this.now;
    localStorage.setItem('rooms', JSON.stringify(this.kept));
    localStorage.setItem('room', name);
    this.select.value = name;
    const {tab, stays, triangles, timeline} = this.kept[name];
    page.tabs.stay(null);
    page.tabs.show(tab);
    if (stays) page.setTwoPages(stays);
    if (page.triangles.shown !== triangles) page.toggleTriangles();
    if (page.timeline.open !== timeline) page.timeline.toggle();
  }
}
