// Edits that a program has left that has ended: to be taken, or thrown away.

import {byId, make, textButton} from './elements.js';

const mostNames = 3;

export class Offer {
  constructor(connection) {
    this.connection = connection;
    this.element = byId('offer');
  }

  hear({flames}) {
    this.element.hidden = !flames.length;
    if (!flames.length) return;
    const names = flames.slice(0, mostNames).map(({name}) => name || 'a flame');
    if (flames.length > mostNames) names.push(`${flames.length - mostNames} more`);
    const newest = new Date(1000 * Math.max(...flames.map(({time}) => time)));
    const isToday = newest.toDateString() === new Date().toDateString();
    const day = isToday ? '' : newest.toLocaleDateString() + ' ';
    const clock = newest.toLocaleTimeString([], {hour: '2-digit', minute: '2-digit'});
    this.element.replaceChildren(
        make('span', {}, `Unsaved edits of ${names.join(', ')} from ${day}${clock}`),
        textButton('Take them', () => this.answer(true), {class: 'first'}),
        textButton('Throw away', () => this.answer(false)),
        textButton(
            'Later', () => this.later(), {class: 'quiet', title: 'They stay where they are'}));
  }

  answer(take) {
    this.connection.say({type: 'lost', take});
  }

  later() {
    this.element.hidden = true;
  }
}
