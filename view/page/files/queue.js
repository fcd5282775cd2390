// SPDX-License-Identifier: MIT
// The queue of renders, stills and films: how far those are that were asked for. Each is made by a
// program beside the live picture.

import {make, textButton} from '../base/elements.js';

import {endingOf} from './dialog.js';

const timeText = seconds => {
  const whole = Math.max(1, Math.round(seconds));
  const two = number => String(number).padStart(2, '0');
  return whole < 3600 ?
      `${Math.floor(whole / 60)}:${two(whole % 60)}` :
      `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
};

export class Queue {
  /// formats: what GET /formats.json says.
  constructor(connection, notice, formats) {
    this.isShown = endingOf(formats.filter(({shown}) => shown));  // by browsers
    this.connection = connection;
    this.notice = notice;
    this.jobs = [];
    this.element = make('div', {class: 'queue', role: 'list', 'aria-label': 'Renders'});
  }

  hear({jobs}) {
    for (const job of jobs) {
      const before = this.jobs.find(({id}) => id === job.id);
      if (before && before.state !== job.state && !this.element.closest('dialog')?.open)
        this.announce(job);
    }
    this.jobs = jobs;
    const going = jobs.filter(({state}) => state === 'running' || state === 'waiting');
    const [running] = going;
    const text = running ? `${Math.floor(100 * running.done)} %` : 'Render';
    const button = document.querySelector('[data-does=render] span');
    if (button) button.textContent = text;
    this.showQueue(jobs.length > going.length);
  }

  /// A row stays as long as its render has the same state: a hand may be about to press its button.
  showQueue(isAnyOver) {
    const before = this.rows ?? new Map();
    this.rows = new Map(this.jobs.map(job => {
      const key = `${job.id} ${job.state}`, row = before.get(key) ?? this.row(job);
      row.querySelector('span').textContent = saysOf(job);
      row.querySelector('.bar')?.style.setProperty('--part', job.done);
      return [key, row];
    }));
    this.clear ??=
        textButton('Clear the list', () => this.connection.say({type: 'cancel', over: true}));
    const wanted = [...[...this.rows.values()].reverse(), ...(isAnyOver ? [this.clear] : [])];
    const shown = [...this.element.children];
    if (wanted.length !== shown.length || wanted.some((row, i) => row !== shown[i]))
      this.element.replaceChildren(...wanted);
  }

  announce({state, name, error}) {
    if (state === 'done') this.notice.say('info', `${name} is rendered`);
    if (state === 'failed') this.notice.say('error', `${name}: ${error}`);
  }

  row(job) {
    const {id, name, state, error, folder} = job;
    const address = this.connection.address(`/picture/${id}`);
    const link = (says, attributes) =>
        make('a', {href: address, class: 'button', ...attributes}, says);
    const parts = {
      done: () =>
          [!folder && this.isShown.test(name) ? link('Open', {target: '_blank', rel: 'noopener'}) :
                                                null,
           folder ? null : link('Download', {download: name})],
      running: () => [this.cancelButton(id, name)],
      waiting: () => [this.cancelButton(id, name)],
      cancelled: () => [this.againButton(job)],
      failed: () => [this.againButton(job)]
    }[state]?.() ??
        [];
    return make(
        'div', {class: `job ${state}`, role: 'listitem', 'data-job': id},
        make('b', {title: name}, name), make('span', {class: 'muted', title: error}), ...parts,
        state === 'running' ? make('i', {class: 'bar'}) : null);
  }

  /// A film whose frames are kept goes on where it was.
  againButton({id, name, resumes}) {
    const says = resumes ? 'Go on' : 'Again';
    return textButton(
        says, () => this.connection.say({type: 'again', id}), {'aria-label': `${says}: ${name}`});
  }

  cancelButton(id, name) {
    return textButton(
        'Cancel', () => this.connection.say({type: 'cancel', id}),
        {'aria-label': `Cancel ${name}`});
  }
}

function saysOf(job) {
  const {state, done, remaining_s: remaining, error, folder} = job;
  if (state === 'failed') return error;
  if (state === 'done' && folder) return `done, in ${folder}`;
  if (state !== 'running') return state;
  const left = remaining > 0 ? `, ${timeText(remaining)} to go` : '';
  return `${Math.floor(100 * done)} %${left}`;
}
