// SPDX-License-Identifier: MIT
// Fields of texts with a line below each for what is wrong with it: the place, marked in the text, and the
// reader's words. A click there puts the caret at the place.

import {make} from '../base/elements.js';

const around = 22;  // letters that are shown before and behind the place
const encoder = new TextEncoder();
let lines = 0;  // so far, for names

/// The index of the letter at a column, which counts bytes from 1.
export function placeOf(text, column) {
  let place = 0, bytes = 1;
  for (const letter of text) {
    if (bytes >= column) break;
    bytes += encoder.encode(letter).length;
    place += letter.length;
  }
  return place;
}

/// The text around a place, which is underlined; behind the end a blank is.
function shownPlace(text, place) {
  const line = text.replace(/\s/g, ' '), begin = Math.max(0, place - around);
  const end = place + (line.codePointAt(place) > 0xffff ? 2 : 1);
  const behind = line.slice(end, end + around);
  return make(
      'code', {}, begin ? '…' : '', line.slice(begin, place),
      make('mark', {}, line.slice(place, end) || '\u00a0'), behind,
      end + around < line.length ? '…' : '');
}

/// The line below an input.
export class Mistake {
  constructor(input) {
    this.input = input;
    this.element = make('p', {
      class: 'mistake',
      id: `mistake-${++lines}`,
      role: 'status',
      hidden: true,
      click: () => this.point()
    });
    input.setAttribute('aria-describedby', this.element.id);
  }

  /// column: of the input's text, in bytes from 1; 0: all of it.
  say(words, column = 0) {
    const text = this.input.value;
    this.place = column > 0 ? placeOf(text, column) : null;
    this.element.replaceChildren(
        ...(column > 0 ? [shownPlace(text, this.place)] : []), make('span', {}, words));
    this.element.hidden = false;
    this.input.setAttribute('aria-invalid', 'true');
  }

  clear() {
    this.element.hidden = true;
    this.input.removeAttribute('aria-invalid');
  }

  point() {
    this.input.focus();
    if (this.place !== null) this.input.setSelectionRange(this.place, this.place + 1);
  }
}

/// A field of a formula: its name in the file, one line that grows.
export class TextPart {
  /// changed() hears of each letter.
  constructor(name, {title, changed, single = false}) {
    this.name = name;
    this.input = make(single ? 'input' : 'textarea', {
      ...(single ? {type: 'text', maxlength: 64} : {rows: 1, maxlength: 4096}),
      'aria-label': name,
      'data-formula': name,
      title,
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      input: () => {
        this.fit();
        changed();
      }
    });
    this.mistake = new Mistake(this.input);
    this.element = make(
        'div', {class: 'part'}, make('label', {title}, make('span', {}, name), this.input),
        this.mistake.element);
  }

  get value() {
    return this.input.value;
  }

  set value(text) {
    this.input.value = text;
    this.mistake.clear();
    this.fit();
  }

  /// As high as its text, where style alone cannot do it.
  fit() {
    if (this.input.rows === undefined || CSS.supports('field-sizing', 'content')) return;
    this.input.rows = Math.min(6, this.input.value.split('\n').length);
  }
}
