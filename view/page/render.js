// Renders of the flame into files: what is wanted, and how far those are that were asked for. Each is
// made by a `kiln render` beside the live picture.

import {byId, choice, make, segments, signButton, textButton} from './elements.js';

const formats = {
  'PNG, 8 bits': {ending: 'png', bits: 8},
  'PNG, 16 bits': {ending: 'png', bits: 16},
  'JPEG': {ending: 'jpg', bits: 8, opaque: true},
  'OpenEXR': {ending: 'exr', bits: 8}
};
const goals = {
  quality: ['Samples a pixel', 'at the end'],
  noise: ['Noise of the picture, per cent', 'until it is no more than this'],
  seconds: ['Seconds of samples', 'as good as it gets']
};
const usual = {
  noise: 1,
  seconds: 60
};
const isShown = /\.(png|jpe?g|gif|webp|apng|mp4|webm)$/;  // by browsers
const mostOfFlame = 20;  // times the quality of the flame, where noise or time ends it

const timeText = seconds => {
  const whole = Math.max(1, Math.round(seconds));
  const two = number => String(number).padStart(2, '0');
  return whole < 3600 ?
      `${Math.floor(whole / 60)}:${two(whole % 60)}` :
      `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
};

export class Render {
  constructor(editor, connection, notice) {
    this.editor = editor;
    this.connection = connection;
    this.notice = notice;
    this.dialog = byId('render');
    this.goal = 'quality';
    this.jobs = [];
    this.build();
  }

  build() {
    const number = (id, label, act) => make('input', {
      type: 'text',
      inputmode: 'decimal',
      id: `render-${id}`,
      'aria-label': label,
      autocomplete: 'off',
      input: act
    });
    this.name = number('name', 'Name');
    this.name.inputMode = 'text';
    this.name.maxLength = 100;
    this.width = number('width', 'Width in pixels', () => this.follow(this.width, this.height, 1));
    this.height =
        number('height', 'Height in pixels', () => this.follow(this.height, this.width, -1));
    this.amount = number('amount', 'How good');
    this.format = choice('Format', Object.keys(formats), name => {
      this.transparent.disabled = Boolean(formats[name].opaque);
    });
    this.format.id = 'render-format';
    this.transparent = make('input', {type: 'checkbox', id: 'render-transparent'});
    this.crop = number('crop', 'Part of the picture: left, top, width, height in pixels');
    this.crop.placeholder = 'all of it, or left, top, width, height';
    this.goals = segments(
        'Ends', [['quality', 'quality'], ['noise', 'noise'], ['seconds', 'time']],
        goal => this.setGoal(goal));
    this.says = make('span', {class: 'muted'});
    this.question = make('p', {role: 'alert', class: 'question'});
    this.queue = make('div', {class: 'queue', role: 'list', 'aria-label': 'Renders'});
    const line = (says, ...parts) =>
        make('div', {class: 'line'}, make('span', {}, says), make('div', {}, ...parts));
    this.form = make(
        'form', {method: 'dialog', submit: event => this.onSubmit(event)}, line('Name', this.name),
        line('Size', this.width, '×', this.height),
        line('Until', this.goals, this.amount, this.says), line('Format', this.format),
        line('Part', this.crop),
        make(
            'label', {class: 'switch'}, this.transparent,
            'Transparent: alpha in place of the background'),
        this.question,
        make(
            'div', {class: 'row'}, make('button', {type: 'submit', class: 'first'}, 'Render'),
            textButton('Close', () => this.dialog.close(), {class: 'quiet'})));
    this.dialog.append(
        make(
            'header', {}, make('h2', {id: 'render-title'}, 'Render'),
            signButton('remove', 'Close (Esc)', () => this.dialog.close())),
        this.form, this.queue);
  }

  /// `proposed`: a name without ending.
  open(proposed) {
    const {width, height} = this.editor.flame.camera;
    this.name.value = proposed;
    this.width.value = width;
    this.height.value = height;
    this.shape = width / height;
    this.dialog.append(this.queue);  // the film's export shows it, too
    this.setGoal(this.goal);
    this.question.replaceChildren();
    if (!this.dialog.open) this.dialog.showModal();
    this.name.select();
  }

  get quality() {
    return this.editor.flame.number('quality', 100);
  }

  setGoal(goal) {
    this.goal = goal;
    this.goals.show(goal);
    const [label, says] = goals[goal];
    this.amount.setAttribute('aria-label', label);
    this.amount.title = label;
    this.amount.value = usual[goal] ?? this.quality;
    this.says.textContent = says;
  }

  /// The flame's shape is kept.
  follow(from, to, sign) {
    const value = Number(from.value) / this.shape ** sign;
    if (value >= 1) to.value = Math.round(value);
  }

  // ---- to the program ----

  onSubmit(event) {
    event.preventDefault();
    this.send();
  }

  send(replace = false) {
    const {ending, bits, opaque} = formats[this.format.value];
    const stem = this.name.value.trim().replace(/\.(png|jpe?g|exr)$/, '');
    const wish = {
      type: 'render',
      name: `${stem}.${ending}`,
      width: Math.round(Number(this.width.value)),
      height: Math.round(Number(this.height.value)),
      quality: this.goal === 'quality' ? Number(this.amount.value) : mostOfFlame * this.quality,
      bits,
      transparent: this.transparent.checked && !opaque,
      replace
    };
    if (this.goal !== 'quality') wish[this.goal] = Number(this.amount.value);
    const crop = this.crop.value.split(/[\s,x×]+/).filter(Boolean).map(Number);
    if (crop.length) [wish.crop_x, wish.crop_y, wish.crop_width, wish.crop_height] = crop;
    const numbers = [wish.width, wish.height, Number(this.amount.value), ...crop];
    if (!stem || !numbers.every(value => Number.isFinite(value) && value >= 0) ||
        (crop.length && crop.length !== 4))
      return this.ask('A name and numbers are needed; a part has four of them.');
    this.ask(this.connection.isOpen ? '' : 'The program does not answer.');
    this.connection.say(wish);
    return undefined;
  }

  ask(...parts) {
    this.question.replaceChildren(...parts);
  }

  // ---- from the program ----

  exists({name}) {
    if (!this.dialog.open) return false;
    this.ask(`${name} is there already. `, textButton('Replace it', () => this.send(true)));
    this.question.querySelector('button').focus();
    return true;
  }

  failed(kind, text) {
    if (!this.dialog.open || kind !== 'error') return false;
    this.ask(text);
    return true;
  }

  hear({jobs}) {
    for (const job of jobs) {
      const before = this.jobs.find(({id}) => id === job.id);
      if (before && before.state !== job.state && !this.queue.closest('dialog')?.open)
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
    const shown = [...this.queue.children];
    if (wanted.length !== shown.length || wanted.some((row, i) => row !== shown[i]))
      this.queue.replaceChildren(...wanted);
  }

  announce({state, name, error}) {
    if (state === 'done') this.notice.say('info', `${name} is rendered`);
    if (state === 'failed') this.notice.say('error', `${name}: ${error}`);
  }

  row(job) {
    const {id, name, state, error} = job, hasFile = !framesOf(job);
    const address = this.connection.address(`/picture/${id}`);
    const link = (says, attributes) =>
        make('a', {href: address, class: 'button', ...attributes}, says);
    const parts = {
      done: () =>
          [hasFile && isShown.test(name) ? link('Open', {target: '_blank', rel: 'noopener'}) : null,
           hasFile ? link('Download', {download: name}) : null],
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

/// The folder of a film that has no other file.
const framesOf = ({film, name}) =>
    (film && /\.(png|exr)$/.test(name) ? name.replace(/\.\w+$/, '-frames') : '');

function saysOf(job) {
  const {state, done, remaining_s: remaining, error} = job;
  if (state === 'failed') return error;
  if (state === 'done' && framesOf(job)) return `done, in ${framesOf(job)}`;
  if (state !== 'running') return state;
  const left = remaining > 0 ? `, ${timeText(remaining)} to go` : '';
  return `${Math.floor(100 * done)} %${left}`;
}
