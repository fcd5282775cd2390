// The film into a file, or its frames: what is wanted of it. It is made by a `kiln animate` beside the
// live picture, in the queue of renders.

import {byId, choice, make, segments, signButton, textButton} from './elements.js';
import {sendBytes} from './upload.js';

const formats = {
  'MP4 (H.264)': 'mp4',
  'WebM (VP9)': 'webm',
  'MOV (ProRes)': 'mov',
  'MKV (HEVC)': 'mkv',
  'GIF': 'gif',
  'WebP, animated': 'webp',
  'APNG': 'apng',
  'Frames (PNG)': 'png',
  'Frames (OpenEXR)': 'exr'
};
const withAlpha = ['webm', 'mov', 'gif', 'webp', 'apng', 'png', 'exr'];
const withSound = ['mp4', 'webm', 'mov', 'mkv'];
const goals = {
  quality: 'Samples a pixel',
  noise: 'Noise of the noisiest frames, per cent'
};
const mostSoundBytes = 64 << 20;
const isFrames = ending => ending === 'png' || ending === 'exr';

export class Export {
  constructor(editor, connection, timeline, queue) {
    this.editor = editor;
    this.connection = connection;
    this.timeline = timeline;
    this.queue = queue;
    this.sound = '';  // name of the one that the program has
    this.dialog = byId('export');
    this.build();
  }

  build() {
    const field = (id, label, act) => make('input', {
      type: 'text',
      inputmode: 'decimal',
      id: `export-${id}`,
      'aria-label': label,
      title: label,
      autocomplete: 'off',
      input: () => act?.()
    });
    this.name = field('name', 'Name');
    this.name.inputMode = 'text';
    this.name.maxLength = 100;
    this.width = field('width', 'Width in pixels', () => this.follow(this.width, this.height, 1));
    this.height =
        field('height', 'Height in pixels', () => this.follow(this.height, this.width, -1));
    this.fps = field('fps', 'Frames a second', () => this.count());
    this.from = field('from', 'First frame', () => this.count());
    this.to = field('to', 'Last frame', () => this.count());
    this.quality = field('quality', goals.quality);
    this.goals =
        segments('Goal', [['quality', 'quality'], ['noise', 'noise']], goal => this.setGoal(goal));
    this.samples = field('samples', 'Moments that the motion blur of a frame mixes; 1: no blur');
    this.format = choice('Format', Object.keys(formats), () => {
      this.showFormat();
      this.count();
    });
    this.format.id = 'export-format';
    const check = (id, says) => {
      const box = make('input', {type: 'checkbox', id: `export-${id}`});
      return [box, make('label', {class: 'switch'}, box, says)];
    };
    [this.transparent, this.transparentLine] =
        check('transparent', 'Transparent: alpha in place of the background');
    [this.keeps, this.keepsLine] =
        check('keeps', 'Keep the frames, so that it can be cancelled and go on');
    this.buildSound();
    [this.fits, this.fitsLine] = check('fits', 'As many frames as the sound lasts');
    this.fits.addEventListener('change', () => this.count());
    this.says = make('span', {class: 'muted', id: 'export-says'});
    this.unit = make('span', {class: 'muted'});
    this.question = make('p', {role: 'alert', class: 'question'});
    const line = (says, ...parts) =>
        make('div', {class: 'line'}, make('span', {}, says), make('div', {}, ...parts));
    this.dialog.append(
        make(
            'header', {}, make('h2', {id: 'export-title'}, 'Export the film'),
            signButton('remove', 'Close (Esc)', () => this.dialog.close())),
        make(
            'form', {method: 'dialog', submit: event => this.onSubmit(event)},
            line('Name', this.name),
            line('Format', this.format, this.fps, make('span', {class: 'muted'}, 'frames/s')),
            line('Size', this.width, '×', this.height),
            line('Frames', this.from, 'to', this.to, this.says),
            line('Until', this.goals, this.quality, this.unit),
            line('Blur of', this.samples, make('span', {class: 'muted'}, 'moments')),
            this.soundLine, this.fitsLine, this.transparentLine, this.keepsLine, this.question,
            make(
                'div', {class: 'row'}, make('button', {type: 'submit', class: 'first'}, 'Export'),
                textButton('Close', () => this.dialog.close(), {class: 'quiet'}))));
  }

  /// A file of where the browser is, which the program gets a copy of.
  buildSound() {
    this.soundFile = make('input', {
      type: 'file',
      accept: 'audio/*,video/*',
      id: 'export-sound',
      hidden: true,
      'aria-label': 'Sound',
      change: () => this.sendSound(this.soundFile.files[0])
    });
    this.soundName = make('span', {class: 'muted', id: 'export-sound-name'});
    this.silence = textButton('No sound', () => this.sendSound(), {id: 'export-silence'});
    const choose = textButton('Choose a file …', () => this.soundFile.click());
    this.soundLine = make(
        'div', {class: 'line'}, make('span', {}, 'Sound'),
        make('div', {}, choose, this.soundFile, this.soundName, this.silence));
  }

  async sendSound(file) {
    this.soundFile.value = '';
    if (file?.size > mostSoundBytes)
      return this.ask(`${file.name}: more than ${mostSoundBytes >> 20} MB; take MP3 or Opus.`);
    this.ask();
    const bytes = file ? new Uint8Array(await file.arrayBuffer()) : new Uint8Array();
    return sendBytes(this.connection, {type: 'sound', name: file?.name ?? ''}, bytes);
  }

  /// The sound that the program has now.
  hearSound({name}) {
    this.sound = name;
    this.soundName.textContent = name;
    this.showFormat();
    this.count();
  }

  /// `ending`: of another format than the last one's.
  open(proposed, ending = '') {
    const format = Object.keys(formats).find(name => formats[name] === ending);
    if (format) this.format.value = format;
    const {flame} = this.editor, {width, height} = flame.camera, [begin, end] = this.timeline.span;
    this.name.value ||= proposed;
    this.width.value = width;
    this.height.value = height;
    this.shape = width / height;
    this.fps.value = this.timeline.fps.value;
    this.from.value = begin;
    this.to.value = end - 1;
    if (!this.goal) this.setGoal('quality');
    this.samples.value ||= Math.round(flame.number('temporal_samples', 1000));
    this.showFormat();
    this.count();
    this.question.replaceChildren();
    this.dialog.append(this.queue);  // it shows the renders of the other dialog, too
    if (!this.dialog.open) this.dialog.showModal();
    this.name.select();
  }

  setGoal(goal) {
    this.goal = goal;
    this.goals.show(goal);
    this.quality.setAttribute('aria-label', goals[goal]);
    this.quality.title = goals[goal];
    this.quality.value = goal === 'noise' ? 1 : this.editor.flame.number('quality', 100);
    this.unit.textContent = goal === 'noise' ? '%, one quality for all' : 'samples a pixel';
  }

  get ending() {
    return formats[this.format.value];
  }

  showFormat() {
    this.transparentLine.hidden = !withAlpha.includes(this.ending);
    this.keepsLine.hidden = isFrames(this.ending);
    this.fps.disabled = isFrames(this.ending);
    this.soundLine.hidden = !withSound.includes(this.ending);
    this.silence.hidden = !this.sound;
    this.fitsLine.hidden = !this.hasSound;
  }

  get isOfFrames() {
    return isFrames(this.ending);
  }

  get hasSound() {
    return Boolean(this.sound) && withSound.includes(this.ending);
  }

  /// The flame's shape is kept.
  follow(from, to, sign) {
    const value = Number(from.value) / this.shape ** sign;
    if (value >= 1) to.value = Math.round(value);
  }

  count() {
    const frames = Math.floor(Number(this.to.value) - Number(this.from.value)) + 1;
    const fits = this.hasSound && this.fits.checked, fps = Number(this.fps.value);
    const seconds = fps > 0 && !isFrames(this.ending) ? `, ${(frames / fps).toFixed(1)} s` : '';
    this.to.disabled = fits;
    this.says.textContent = fits ? 'as the sound' :
        frames > 0               ? `${frames} ${frames === 1 ? 'frame' : 'frames'              }${seconds}` :
                                   '';
  }

  onSubmit(event) {
    event.preventDefault();
    this.send();
  }

  send(replace = false) {
    const number = input => Number(input.value), {ending} = this;
    const stem = this.name.value.trim().replace(/\.[a-z0-9]{2,5}$/, '');
    const wish = {
      type: 'export',
      name: `${stem}.${ending}`,
      width: Math.round(number(this.width)),
      height: Math.round(number(this.height)),
      fps: number(this.fps),
      begin: number(this.from),
      end: number(this.to),
      [this.goal]: number(this.quality),
      samples: Math.round(number(this.samples)),
      transparent: !this.transparentLine.hidden && this.transparent.checked,
      keeps: this.keeps.checked,
      sound: this.hasSound,
      fit_sound: this.hasSound && this.fits.checked,
      replace
    };
    const {width, height, samples, fps} = wish;
    if (!stem || ![width, height, wish[this.goal], samples, fps].every(value => value > 0) ||
        !(wish.begin <= wish.end))
      return this.ask('A name, and numbers above 0, are needed.');
    this.ask(this.connection.isOpen ? '' : 'The program does not answer.');
    this.connection.say(wish);
    return undefined;
  }

  ask(...parts) {
    this.question.replaceChildren(...parts);
  }

  exists({name, folder}) {
    if (!this.dialog.open) return false;
    const says =
        folder ? `${folder} holds pictures that this did not make. ` : `${name} is there already. `;
    const act = !folder ? 'Replace it' :
        this.isOfFrames ? 'Replace them' :
                          `Replace them and ${name}`;
    this.ask(says, textButton(act, () => this.send(true)));
    this.question.querySelector('button').focus();
    return true;
  }

  failed(kind, text) {
    if (!this.dialog.open || kind !== 'error') return false;
    this.ask(text);
    return true;
  }
}
