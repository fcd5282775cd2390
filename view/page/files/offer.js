// SPDX-License-Identifier: MIT
// Edits that programs have left that have ended: a line that offers them, and a wall of them with their
// pictures, dates and files, to take some or to throw some away. What is thrown away stays for a while
// in a folder.

import {byId, make, signButton, textButton} from '../base/elements.js';

const mostNames = 3;

const plural = count => `${count} flame${count === 1 ? '' : 's'}`;

/// "14:05" of today, with its day of another one.
function clockOf(seconds) {
  const time = new Date(1000 * seconds);
  const isToday = time.toDateString() === new Date().toDateString();
  const day = isToday ? '' : time.toLocaleDateString() + ' ';
  return day + time.toLocaleTimeString([], {hour: '2-digit', minute: '2-digit'});
}

export class Offer {
  constructor(connection, glimpses, notice) {
    this.connection = connection;
    this.notice = notice;
    this.element = byId('offer');
    this.dialog = byId('lost');
    this.flames = [];
    this.chosen = new Set();  // keys
    this.grid = make('div', {class: 'grid', role: 'group', 'aria-label': 'Unsaved edits'});
    this.pictures = glimpses.watch(this.grid, image => image.flame);
    this.all = textButton('All', () => this.chooseAll());
    this.take = textButton('Take', () => this.answer(true), {class: 'first'});
    this.throw = textButton('Throw away', () => this.answer(false));
    this.where = make('p', {class: 'muted name'});
    this.dialog.append(
        make(
            'header', {}, make('h2', {id: 'lost-title'}, 'Unsaved edits'),
            signButton('remove', 'Close (Esc)', () => this.dialog.close())),
        this.grid, this.where,
        make(
            'div', {class: 'row'}, this.all, this.take, this.throw,
            textButton(
                'Later', () => this.later(), {class: 'quiet', title: 'They stay where they are'})));
  }

  hear({flames, days, thrown}) {
    this.flames = flames;
    this.thrown = `for ${days} days in ${thrown}`;
    this.element.hidden = !flames.length;
    this.chosen = new Set(flames.map(({key}) => key).filter(key => this.chosen.has(key)));
    if (!flames.length) return this.dialog.close();
    if (this.dialog.open) this.draw();
    const names = flames.slice(0, mostNames).map(({name}) => name || 'a flame');
    if (flames.length > mostNames) names.push(`${flames.length - mostNames} more`);
    const newest = clockOf(Math.max(...flames.map(({time}) => time)));
    return this.element.replaceChildren(
        make('span', {}, `Unsaved edits of ${names.join(', ')} from ${newest}`),
        textButton(
            flames.length > 1 ? 'Take all' : 'Take it',
            () => this.connection.say({type: 'lost', take: true}), {class: 'first'}),
        textButton('Look at them …', () => this.look()),
        textButton(
            'Later', () => this.later(), {class: 'quiet', title: 'They stay where they are'}));
  }

  // ---- the wall ----

  look() {
    this.draw();
    this.dialog.showModal();
  }

  draw() {
    this.tiles = this.flames.map(flame => this.tile(flame));
    this.grid.replaceChildren(...this.tiles);
    this.where.textContent = `What is thrown away stays ${this.thrown}.`;
    this.mark();
  }

  tile({key, name, time, source, film, flame}) {
    const image = make('img', {alt: '', draggable: 'false'});
    image.flame = flame;
    this.pictures.observe(image);
    const kind = film ? 'a film, ' : '', file = source?.split(/[\\/]/).at(-1) ?? 'in no file yet';
    return make(
        'button', {type: 'button', class: 'tile', title: source, click: () => this.choose(key)},
        image, make('b', {}, name || 'a flame'), make('span', {}, kind + clockOf(time)),
        make('span', {}, file));
  }

  mark() {
    this.flames.forEach(
        ({key}, i) => this.tiles[i].setAttribute('aria-pressed', String(this.chosen.has(key))));
    const {size} = this.chosen, says = size ? ` ${plural(size)}` : '';
    this.take.textContent = `Take${says}`;
    this.throw.textContent = `Throw away${says}`;
    for (const button of [this.take, this.throw]) button.disabled = !size;
    this.all.textContent = size === this.flames.length ? 'None' : 'All';
  }

  choose(key) {
    if (!this.chosen.delete(key)) this.chosen.add(key);
    this.mark();
  }

  chooseAll() {
    const isNone = this.chosen.size === this.flames.length;
    this.chosen = new Set(isNone ? [] : this.flames.map(({key}) => key));
    this.mark();
  }

  answer(take) {
    const which = [...this.chosen];
    this.connection.say({type: 'lost', take, which});
    if (!take)
      this.notice.say('info', `${plural(which.length)} thrown away: kept ${this.thrown}`);
    else
      this.dialog.close();
  }

  later() {
    this.dialog.close();
    this.element.hidden = true;
  }
}
