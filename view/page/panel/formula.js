// SPDX-License-Identifier: MIT
// The editor of a formula: what is typed is read by the program as a file's is; once it is one the picture
// follows, until then the flame stays as it was last and the field says what is wrong. All of it is one step of
// undo, and none where it is closed without Done. Of a film all keys change. It stands where the panel is, so
// that the picture is seen.

import {make, signButton, textButton} from '../base/elements.js';
import {Flame, shortNumber} from '../base/flame.js';
import {fieldsNamed, forms, freeName, isSame, numbersOf, partNames, putFormula, removeFormula, usersOf} from '../base/formula.js';

import {FormulaHelp} from './formulahelp.js';
import {TextPart} from './mistakes.js';
import {parameterHead, ParameterRow} from './parameter.js';

const restMs = 150;  // after a letter
const pictureWidth = 128;
const triedWeight = '0.3';
const titles = {
  let : 'Values with a name, for the lines below: s = sin(r); t = 2*s',
  x: 'Where the point goes to: its x; left out it is 0',
  y: 'Where the point goes to: its y; left out it is 0',
  z: 'Where the point goes to: its z; left out it is 0',
  color: 'The color coordinate, 0 to 1; left out the color stays'
};

/// To begin with: something that is seen at once.
const example = {
  name: 'my_wave',
  let : '',
  x: 'x + k*sin(4*y)',
  y: 'y + k*sin(4*x)',
  z: '',
  color: '',
  parameters: [{name: 'k', default: '0.3', from: '-1', to: '1'}]
};

export class FormulaEditor {
  constructor(editor, connection, glimpses, shelf, notice) {
    Object.assign(this, {editor, connection, glimpses, shelf, notice});
    this.checks = 0;          // that the program was asked for
    this.drafts = new Map();  // by the name that was opened: what was typed and not taken
    this.build();
    shelf.addEventListener('change', () => this.mark());
    shelf.addEventListener('other', () => this.askToReplace());
    for (const name of ['flame', 'change']) editor.addEventListener(name, () => this.followed());
  }

  build() {
    const changed = () => this.changed();
    this.parts = ['name', ...partNames].map(
        name => new TextPart(name, {title: titles[name], changed, single: name === 'name'}));
    this.weight = new TextPart('weight', {changed, single: true});
    this.weightSays = this.weight.element.querySelector('span');
    this.grid = make('img', {
      alt: 'What the formula makes of a grid',
      title: 'What the formula makes of a grid',
      load: () => URL.revokeObjectURL(this.grid.src)
    });
    this.rows = [];
    this.list = make('div', {class: 'parameters'});
    this.question = make('p', {role: 'alert', class: 'question'});
    this.title = make('h2', {id: 'formula-title'});
    this.keepButton = textButton('Keep as mine', () => this.check(() => this.keep()));
    this.removeButton = textButton('Remove', () => this.askToRemove());
    const [name, ...lines] = this.parts.map(({element}) => element);
    this.dialog = make(
        'dialog', {
          class: 'trial',
          id: 'formula',
          'aria-labelledby': 'formula-title',
          close: () => this.onClose(),
          keydown: event => this.onKey(event)
        },
        make(
            'header', {}, this.title,
            signButton('remove', 'Close without it (Esc)', () => this.dialog.close())),
        make(
            'form',
            {method: 'dialog', submit: event => (event.preventDefault(), this.check(this.taken))},
            make('div', {class: 'top'}, make('div', {}, name, this.weight.element), this.grid),
            ...lines,
            make(
                'h3', {}, 'Parameters',
                signButton('add', 'Another parameter', () => this.addParameter())),
            this.list, new FormulaHelp().element, this.question,
            make(
                'div', {class: 'row'}, make('button', {type: 'submit', class: 'first'}, 'Done'),
                textButton('Cancel', () => this.dialog.close(), {class: 'quiet'}), this.keepButton,
                this.removeButton)));
    document.body.append(this.dialog);
  }

  get open() {
    return this.dialog.open;
  }

  // ---- which one ----

  /// name: a formula of the flame; without it another one begins.
  show(name) {
    const {editor} = this, {flame} = editor;
    if (!flame?.all.length || this.open) return;
    this.gesture = editor.begin();
    this.base = this.shown = flame.text();
    this.film = editor.film?.moment.text;  // where it is of one
    this.awaited = null;                   // the program's answer, and what waits for it
    this.isTaken = false;
    this.opened = this.name = name ?? '';  // as the flame has it now
    this.first = this.applied = name ? fieldsNamed(flame, name) : null;
    const begun = this.first ?? {...example, name: freeName(flame, example.name)};
    const draft = this.drafts.get(this.opened);
    this.title.textContent = name ? `The formula ${name}` : 'A formula of your own';
    this.sign = flame.signOf(editor.xform);
    this.weightSays.textContent = `weight in xform ${this.sign}`;
    this.appliedWeight = name ? editor.xform.getAttribute(name) ?? '' : '';
    this.fill(draft ?? begun, draft?.weight ?? (name ? this.appliedWeight : triedWeight));
    this.grid.removeAttribute('src');
    this.ask();
    if (draft) this.sayDraft(begun, name ? this.appliedWeight : triedWeight);
    this.dialog.showModal();
    this.mark();
    this.check();
    this.parts[2].input.focus();
  }

  fill(fields, weight) {
    for (const part of this.parts) part.value = fields[part.name];
    this.weight.value = weight;
    this.rows = [];
    this.list.replaceChildren(parameterHead());
    const known = this.first?.parameters.map(({name}) => name) ?? [];
    for (const one of fields.parameters)
      this.addRow({...one, was: one.was ?? (known.includes(one.name) ? one.name : undefined)});
  }

  sayDraft(begun, weight) {
    const anew = textButton('Begin anew', () => {
      this.ask();
      this.fill(begun, weight);
      this.changed();
    });
    this.ask('As you left it. ', anew);
  }

  get fields() {
    const texts = this.parts.map(({name, value}) => [name, value.trim()]);
    return {...Object.fromEntries(texts), parameters: this.rows.map(({fields}) => fields)};
  }

  // ---- parameters ----

  addRow(fields) {
    const row = new ParameterRow(fields, {
      changed: () => this.changed(),
      remove: one => this.removeRow(one),
      set: (one, value) => this.setValue(one, value)
    });
    this.rows.push(row);
    this.list.append(row.element);
    return row;
  }

  addParameter() {
    const taken = this.rows.map(({fields: {name}}) => name);
    const name = [...'kabcdefghijlmnopqs'].find(letter => !taken.includes(letter)) ?? '';
    const row = this.addRow({name, default: '1', from: '0', to: '2'});
    this.changed();
    row.inputs.name.select();
  }

  removeRow(row) {
    this.rows.splice(this.rows.indexOf(row), 1);
    row.element.remove();
    this.changed();
  }

  /// The xforms whose numbers the small pictures show: the chosen one, or else all that use the formula.
  targets(flame) {
    const users = usersOf(flame, this.name), xform = flame.all[this.editor.chosen];
    return users.includes(xform) ? [xform] : users;
  }

  /// Sets a parameter wherever the targets use the formula; of a film in all keys.
  put(flame, row, value) {
    for (const xform of this.targets(flame))
      for (const form of forms)
        if (xform.hasAttribute(form + this.name))
          flame.set(`${form}${this.name}_${row.was}`, value, xform);
  }

  setValue(row, value) {
    this.check(() => {
      this.change(flame => this.put(flame, row, value));
    });
  }

  /// What they have of it now; undefined: nobody uses it.
  valueOf(row) {
    const {flame} = this.editor, [xform] = this.targets(flame);
    const form = xform && forms.find(one => xform.hasAttribute(one + this.name));
    if (form === undefined || row.was === undefined) return undefined;
    return flame.number(`${form}${this.name}_${row.was}`, numbersOf(row.fields).usual, xform);
  }

  // ---- typing ----

  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), restMs);
    this.ask();
    this.mark();
  }

  /// Enter takes what is typed; in a text of several lines with Ctrl.
  onKey(event) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.check(this.taken);
  }

  /// The program reads it; `then` is done once it is a formula.
  check(then) {
    clearTimeout(this.timer);
    if (this.awaited) {
      this.awaited.then = () => this.check(then);
      return undefined;
    }
    const {fields} = this, weight = this.weight.value.trim();
    this.asked = {number: ++this.checks, fields, weight, then, rows: [...this.rows]};
    for (const row of this.rows) row.asked = row.fields.name;
    if (!this.connection.isOpen) return this.ask('The program does not answer.');
    const candidate = new Flame(this.editor.flame.text());
    this.compose(candidate, fields, weight);
    this.asked.flame = candidate.text();
    return this.connection.say(
        {type: 'formula', number: this.checks, name: fields.name, flame: this.asked.flame});
  }

  compose(flame, fields, weight) {
    if (this.name && !fieldsNamed(flame, this.name)) return;  // another key of a film
    putFormula(flame, this.name, fields);
    const xform = flame.all[this.editor.chosen];
    if (weight === this.appliedWeight || !xform) return;
    if (weight !== '')
      xform.setAttribute(
          fields.name, Number.isFinite(Number(weight)) ? shortNumber(weight) : weight);
    else
      xform.removeAttribute(fields.name);
  }

  hear(answer) {
    if (!this.open || answer.number !== this.asked?.number) return;
    for (const {mistake} of [...this.parts, this.weight, ...this.rows]) mistake.clear();
    if (answer.text === undefined)
      this.apply(answer.scene);
    else
      this.refuse(answer);
  }

  refuse({text, name, part, column, parameter}) {
    const isOfThis = name === this.asked.fields.name;
    const row = isOfThis && this.asked.rows[parameter];
    const field = isOfThis && this.parts.find(one => one.name === part);
    if (row)
      row.mistake.say(text);
    else if (field)
      field.mistake.say(text, column);
    else if (!Number.isFinite(Number(this.asked.weight)))
      this.weight.mistake.say('is no number');
    else
      this.ask(text);
    this.dialog.classList.add('wrong');
    if (this.asked.then) this.dialog.querySelector('[aria-invalid]')?.focus();
  }

  apply(scene) {
    const {fields, weight, then} = this.asked;
    this.dialog.classList.remove('wrong');
    const isOther = !this.applied || !isSame(this.applied, fields) ||
        weight !== this.appliedWeight || this.rows.some(row => row.was !== row.asked);
    if (isOther) this.change(flame => this.compose(flame, fields, weight));
    const {name, applied, appliedWeight} = this, rows = this.rows.map(row => [row, row.was]);
    this.revert = () => {
      Object.assign(this, {name, applied, appliedWeight});
      for (const [row, was] of rows) row.was = was;
    };
    this.name = fields.name;
    this.applied = fields;
    this.appliedWeight = weight;
    for (const row of this.rows) row.was = row.asked;
    this.scene = scene;
    this.text = this.asked.flame;
    if (then) then.call(this);
    if (this.open && !this.awaited) this.picture();
  }

  change(work) {
    const {film} = this.editor;
    if (film) {
      this.awaited = {};
      return film.change(all => all.changeFlames(work), this.gesture);
    }
    return this.editor.change(flame => {
      work(flame);
      this.shown = flame.text();
    }, this.gesture);
  }

  /// The flame is another: of a film it comes from the program.
  followed() {
    const {awaited} = this;
    if (!this.open || !awaited) return;
    this.awaited = null;
    if (!fieldsNamed(this.editor.flame, this.name)) this.revert();  // the film was refused
    if (awaited.then)
      awaited.then();
    else
      this.picture();
  }

  // ---- small pictures ----

  picture() {
    const {editor: {flame}} = this;
    const pairs = [[this.grid, this.scene]];
    for (const row of this.rows) {
      const isUsed = this.valueOf(row) !== undefined;
      for (const {end, image} of isUsed ? row.pictures : []) {
        const other = new Flame(flame.text());
        this.put(other, row, row.at(end));
        pairs.push([image, other.text()]);
      }
    }
    this.glimpses.ask(pairs, pictureWidth);
    this.mark();
  }

  mark() {
    if (!this.open) return;
    this.list.hidden = !this.rows.length;
    for (const row of this.rows) row.mark(this.valueOf(row));
    const isMine = this.shelf.has(this.fields);
    this.keepButton.textContent = isMine ? 'Forget mine' : 'Keep as mine';
    this.keepButton.title = isMine ?
        `It is in ${this.shelf.folder}` :
        'For all flames: a file of it, which the list of variations offers';
    this.removeButton.hidden = !this.opened;
  }

  ask(...parts) {
    this.question.replaceChildren(...parts);
  }

  /// What the program says of an error belongs here.
  failed(kind, text) {
    if (!this.open || kind !== 'error') return false;
    this.ask(text);
    return true;
  }

  // ---- for other flames ----

  keep(replace = false) {
    this.ask();
    if (this.shelf.has(this.applied))
      this.shelf.forget(this.name);
    else
      this.shelf.keep(this.name, this.text, replace);
  }

  askToReplace() {
    if (!this.open) return;
    const replace = () => this.check(() => this.keep(true));
    this.ask(`You keep another ${this.name} already. `, textButton('Replace it', replace));
    this.question.querySelector('button').focus();
  }

  // ---- the end ----

  taken() {
    this.isTaken = true;
    this.drafts.delete(this.opened);
    this.dialog.close();
  }

  askToRemove() {
    const {length} = usersOf(this.editor.flame, this.name);
    const remove = () => {
      this.change(flame => removeFormula(flame, this.name));
      this.taken();
    };
    if (!length) return remove();
    const says = length === 1 ? '1 xform uses it. ' : `${length} xforms use it. `;
    this.ask(says, textButton('Remove it from all', remove));
    return this.question.querySelector('button').focus();
  }

  onClose() {
    clearTimeout(this.timer);
    this.asked = null;
    if (!this.isTaken) this.takeBack();
    this.editor.tell('flame');  // the panel has other fields now
  }

  /// The flame as it was, to the letter where nobody else has changed it since.
  takeBack() {
    const {fields} = this, weight = this.weight.value.trim();
    const begun = this.first ?? example;
    if (!isSame(fields, {...begun, name: this.first ? begun.name : fields.name}))
      this.drafts.set(
          this.opened,
          {...fields, parameters: this.rows.map(row => ({...row.fields, was: row.begun})), weight});
    const {flame, film} = this.editor;
    if (film) {
      if (this.film && film.moment.text !== this.film) film.restore(this.film, this.gesture);
      return;
    }
    if (flame.text() === this.base) return;
    this.change(now => {
      if (now.text() === this.shown)
        now.element = new Flame(this.base).element;
      else if (this.first)
        putFormula(now, this.name, {
          ...this.first,
          parameters: this.first.parameters.map(one => ({...one, was: one.name}))
        });
      else
        removeFormula(now, this.name);
    });
  }
}
