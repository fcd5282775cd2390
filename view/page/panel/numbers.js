// SPDX-License-Identifier: MIT
// Numbers to scrub: drag sideways, type, or press the arrow keys. Shift is ten times coarser, Alt
// ten times finer, double-click for the default. All edits of one drag are one gesture. What is
// typed may be a sum: 1/3, 2*pi, 2*(0.3+1). A dot says that it is not the default. A field that has
// the focus shows all digits that files have. Of several xforms steps move each from its own value. What begins with "=" is
// a formula of other numbers, which this one follows (links.js).

import {make} from '../base/elements.js';
import {shortNumber} from '../base/flame.js';

const dragAfterPx = 3;

/// What a field says to who rests on it: the words, and how files name it.
export const tip =
    ({title, attribute}) => [title, attribute].filter(Boolean).join('\n') || undefined;

const factorOf = event => (event.shiftKey ? 10 : 1) * (event.altKey ? 0.1 : 1);

/// Steps that suit a number of any size: a hundredth of it, but not of nothing.
export const proportional = value => Math.max(Math.abs(value), 0.05) * 0.01;

/// The number that a text says: "0,5", "1/3", "-(2 + 1) * 0.3"; NaN where it says none.
function valueOf(text) {
  const words = text.replaceAll(',', '.').match(/(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|pi|\S/gi) ?? [];
  const taken = signs => (signs.includes(words[0]) ? words.shift() : '');
  const sum = () => {
    let value = product();
    for (let sign; (sign = taken('+-'));) value += sign === '+' ? product() : -product();
    return value;
  };
  const product = () => {
    let value = factor();
    for (let sign; (sign = taken('*/'));) value *= sign === '*' ? factor() : 1 / factor();
    return value;
  };
  const factor = () => {
    const sign = taken('+-');
    if (sign) return sign === '+' ? factor() : -factor();
    if (taken(['pi', 'PI', 'Pi'])) return Math.PI;
    if (!taken('(')) return Number(words.shift() ?? Number.NaN);
    const inside = sum();
    return taken(')') ? inside : Number.NaN;
  };
  const value = sum();
  return words.length ? Number.NaN : value;
}

class NumberField {
  /// about: {label, title, attribute, read, write(flame, value), move(flame, value, gesture), step,
  /// min, max, bar, whole, digits, otherwise, usual, plain (no dot), isOwn (or a function that says so), says, mark(element, value)}.
  /// `move` in place of write for what a hand drags or a key changes; `otherwise` stands where there is nothing,
  /// `usual` is what a double-click brings; null: nothing is usual.
  constructor(editor, about) {
    this.editor = editor;
    this.about = about;
    this.input = make('input', {
      type: 'text',
      inputmode: 'decimal',
      role: 'spinbutton',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: this.shown(about.otherwise ?? 0),  // what an empty field stands for
      'aria-label': about.says,
      'data-field': about.name ?? about.label,
      keydown: event => this.onKey(event),
      input: () => {
        this.typing = true;
        this.markWrong(false);
      },
      change: () => this.onTyped(),
      focus: () => this.onFocus(),
      blur: () => this.onBlur()
    });
    this.element = make(
        'label', {
          class: 'number',
          title: tip(about),
          'data-attribute': about.attribute,
          pointerdown: event => this.onDown(event),
          click: event => this.onClick(event),
          dblclick: () => this.onDoubleClick()
        },
        make('span', {}, about.label), this.input);
    this.element.refresh = () => this.refresh();
    this.refresh();
  }

  /// Somebody has typed what is not taken yet: undo is that of the letters.
  get typing() {
    return this.input.hasAttribute('data-typing');
  }

  set typing(typing) {
    this.input.toggleAttribute('data-typing', typing);
  }

  markWrong(wrong) {
    this.element.classList.toggle('wrong', wrong);
    if (wrong) this.input.setSelectionRange(-1, -1);  // what is typed next mends it
    this.input.setAttribute('aria-invalid', String(wrong));
  }

  limited(value) {
    const {min = -Infinity, max = Infinity, whole} = this.about;
    const inside = Math.min(max, Math.max(min, value));
    return whole ? Math.round(inside) : inside;
  }

  stepAt(value) {
    const {step = 0.01} = this.about;
    return typeof step === 'function' ? step(value) : step;
  }

  get isOwn() {
    const {isOwn} = this.about;
    return typeof isOwn === 'function' ? isOwn() : isOwn;
  }

  /// The formula that it follows; a hand that drags it is told so.
  get link() {
    return this.element?.dataset.link;
  }

  set(value, gesture, isStep = false) {
    const limited = this.limited(value), {move} = this.about;
    if (!Number.isFinite(limited)) return;
    const write = flame => {
      if (this.link) this.editor.links.release(this.element, flame);
      const short = Number(shortNumber(limited));
      if (isStep && move)
        move(flame, short, gesture);
      else
        this.about.write(flame, short);
    };
    if (this.isOwn) {
      write(this.editor.flame);  // of the page alone, no edit
    } else {
      this.editor.by = this;
      this.editor.change(write, gesture);
    }
    this.refresh(true);
  }

  /// Shows the flame's value, unless somebody is typing one.
  refresh(evenWhileTyping = false) {
    if (!this.editor.flame) return;
    const value = this.about.read(this.editor.flame);
    if (evenWhileTyping || document.activeElement !== this.input || !this.typing)
      this.input.value = this.shown(value);
    this.input.setAttribute('aria-valuenow', value);
    this.element.classList.toggle('changed', this.isChanged(value));
    this.about.mark?.(this.element, value);
    this.showPart(value);
  }

  get usual() {
    const {usual, otherwise = 0} = this.about;
    return usual === undefined ? otherwise : usual;
  }

  isChanged(value) {
    return this.about.usual !== null && !this.about.plain &&
        Math.abs(value - this.usual) > 1e-9 * Math.max(1, Math.abs(value));
  }

  shown(value) {
    const {digits = 4} = this.about;
    const hasFocus = this.input && document.activeElement === this.input;
    if (hasFocus) return this.link ? `= ${this.link}` : shortNumber(value);
    return String(Number(value.toFixed(Math.abs(value) < 0.1 ? digits + 2 : digits)));
  }

  /// A bar under what has two ends.
  showPart(value) {
    const {min, max, bar = true} = this.about;
    if (!bar || !Number.isFinite(min) || !Number.isFinite(max)) return;
    const part = Math.min(1, Math.max(0, (value - min) / (max - min)));
    this.element.classList.add('bounded');
    this.element.style.setProperty('--part', part);
  }

  onTyped() {
    const text = this.input.value.trim();
    if (text.startsWith('=') && !this.isOwn) {
      this.typing = false;
      this.editor.by = this;
      return this.editor.links.follow(this.element, text.slice(1));
    }
    const value = text === '' ? this.about.otherwise ?? 0 : valueOf(text);
    if (!Number.isFinite(value)) return this.markWrong(true);
    this.typing = false;
    return this.set(value);
  }

  onFocus() {
    if (this.typing) return;
    this.refresh();
    this.input.select();
  }

  onBlur() {
    if (this.typing) this.markWrong(false);  // what is not taken goes
    this.typing = false;
    this.refresh();
  }

  onKey(event) {
    const direction = {ArrowUp: 1, ArrowDown: -1}[event.key];
    if (direction) {
      event.preventDefault();
      if (this.link)
        this.editor.links.askToCut(this.element);
      else
        this.step(direction * factorOf(event));
    } else if (event.key === 'Escape') {
      this.input.blur();
    } else if (event.key === 'Enter') {
      this.input.select();
    }
    if (!event.ctrlKey && !event.metaKey) event.stopPropagation();  // letters are no commands here
  }

  step(by) {
    const value = this.about.read(this.editor.flame);
    this.typing = false;
    const step = this.about.whole ? Math.sign(by) : this.stepAt(value) * 5 * by;
    this.set(value + step, this.editor.beginOrGoOn(this), true);
  }

  onDown(event) {
    if (event.button !== 0 || this.typing) return;
    event.preventDefault();  // no caret: a click selects all, what is typed may be pointed at
    this.dragged = false;
    let x = event.clientX, value = this.about.read(this.editor.flame), gesture = 0;
    const follow = moved => {
      if (!(moved.buttons & 1)) return end();  // it was released elsewhere
      if (!gesture && Math.abs(moved.clientX - x) < dragAfterPx) return;
      if (this.link) {
        this.dragged = true;
        this.editor.links.askToCut(this.element);
        return end();
      }
      if (!gesture) gesture = this.startDrag(moved);
      value += (moved.clientX - x) * this.dragStep(value) * factorOf(moved);
      value = this.about.whole ?
          Math.min(this.about.max ?? Infinity, Math.max(this.about.min ?? -Infinity, value)) :
          this.limited(value);
      x = moved.clientX;
      this.set(value, gesture, true);
    };
    const end = () => {
      this.element.classList.remove('dragged');
      this.element.removeEventListener('pointermove', follow);
      for (const name of ['pointerup', 'pointercancel'])
        this.element.removeEventListener(name, end);
    };
    this.element.addEventListener('pointermove', follow);
    for (const name of ['pointerup', 'pointercancel']) this.element.addEventListener(name, end);
  }

  startDrag(event) {
    this.dragged = true;
    this.element.setPointerCapture(event.pointerId);
    this.element.classList.add('dragged');
    return this.editor.begin();
  }

  dragStep(value) {
    return this.about.whole ? 0.1 : this.stepAt(value);
  }

  onClick(event) {
    if (this.dragged)
      event.preventDefault();
    else if (!this.typing) {
      event.preventDefault();
      this.input.focus();
      this.input.select();
    }
    this.dragged = false;
  }

  onDoubleClick() {
    if (this.typing || this.usual === null || this.link) return;
    this.set(this.usual);
    this.input.select();
  }
}

/// For several elements: what one goes, the others go from where each was when the gesture began.
/// read(flame, element), write(flame, value, element), elements(): those that go, the first one leads.
export function goTogether({read, write, elements}) {
  let begun = {};
  return (flame, value, gesture) => {
    const all = elements();
    if (begun.gesture !== gesture || all.some(one => !begun.values.has(one)))
      begun = {gesture, values: new Map(all.map(one => [one, read(flame, one)]))};
    const by = value - begun.values.get(all[0]);
    for (const one of all) write(flame, begun.values.get(one) + by, one);
  };
}

export const numberField = (editor, about) => new NumberField(editor, about).element;

/// A field for an attribute of the flame, or of what `of()` gives.
export function attributeField(editor, name, about, of = flame => flame.element) {
  return numberField(editor, {
    name,
    attribute: name,
    read: flame => flame.number(name, about.otherwise ?? 0, of(flame)),
    write: (flame, value) => flame.set(name, value, of(flame)),
    ...about,
  });
}

/// A field for one number of a list such as center="0 1".
export function listField(editor, name, place, otherwise, about) {
  return numberField(editor, {
    name: `${name} ${place}`,
    attribute: name,
    read: flame => flame.list(name, otherwise)[place],
    write: (flame, value) => flame.setList(name, flame.list(name, otherwise).with(place, value)),
    otherwise: otherwise[place],
    ...about,
  });
}
