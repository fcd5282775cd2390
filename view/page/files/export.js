// SPDX-License-Identifier: MIT
// The film into a file, or its frames: what is wanted of it. It is made by a `kiln animate` beside the
// live picture, in the queue of renders.

import {choice, make, textButton} from '../base/elements.js';
import {sendBytes} from '../base/upload.js';

import {RenderDialog} from './dialog.js';

const goals = {
  quality: {word: 'quality', label: 'Samples a pixel', unit: 'samples a pixel'},
  noise: {
    word: 'noise',
    label: 'Noise of the noisiest frames, per cent',
    unit: '%, one quality for all',
    value: 1
  }
};
const mostSoundBytes = 64 << 20;

export class Export extends RenderDialog {
  /// formats: what GET /formats.json says.
  constructor(shared, timeline, formats) {
    super('export', shared, goals);
    const films = formats.filter(({film}) => film);
    const isFilm = ({endings}) =>
        films.some(film => film.endings.includes(endings[0]));  // as WebP is
    const ofFrames = formats.filter(format => format.alpha && !isFilm(format));
    this.formats = [...films, ...ofFrames];
    this.timeline = timeline;
    this.sound = '';  // name of the one that the program has
    const counted = {input: () => this.count()};
    this.fps = this.field('fps', 'Frames a second', counted);
    this.from = this.field('from', 'First frame', counted);
    this.to = this.field('to', 'Last frame', counted);
    this.samples = this.field('samples', 'Time samples of the motion blur of a frame; 1: no blur');
    const label = ({says, film}) => (film ? says : `Frames (${says})`);
    this.format = choice('Format', this.formats.map(label), () => {
      this.showFormat();
      this.count();
    });
    this.format.id = 'export-format';
    [this.transparent, this.transparentLine] =
        this.check('transparent', 'Transparent: alpha in place of the background');
    [this.keeps, this.keepsLine] =
        this.check('keeps', 'Keep the frames, so that it can be cancelled and go on');
    this.buildSound();
    [this.fits, this.fitsLine] = this.check('fits', 'As many frames as the sound lasts');
    this.fits.addEventListener('change', () => this.count());
    this.says = make('span', {class: 'muted', id: 'export-says'});
    const muted = says => make('span', {class: 'muted'}, says);
    this.fill(
        'Export the film', 'Export', this.line('Format', this.format, this.fps, muted('frames/s')),
        this.sizeLine, this.line('Frames', this.from, 'to', this.to, this.says), this.goalLine,
        this.line('Blur of', this.samples, muted('time samples')), this.soundLine, this.fitsLine,
        this.transparentLine, this.keepsLine);
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
    this.soundLine = this.line('Sound', choose, this.soundFile, this.soundName, this.silence);
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
    this.showFormat();
    this.count();
  }

  /// `ending`: of another format than the last one's.
  open(proposed, ending = '') {
    const wanted = this.formats.findIndex(({endings}) => endings.includes(ending));
    if (wanted >= 0) this.format.selectedIndex = wanted;
    const [begin, end] = this.timeline.span;
    this.name.value ||= proposed;
    this.fps.value = this.timeline.fps.value;
    this.from.value = begin;
    this.to.value = end - 1;
    if (!this.goal) this.setGoal('quality');
    this.samples.value ||= Math.round(this.editor.flame.number('temporal_samples', 1000));
    this.showFormat();
    this.count();
    this.show();
  }

  get chosen() {
    return this.formats[this.format.selectedIndex];
  }

  showFormat() {
    const {film, alpha, sound} = this.chosen;
    this.transparentLine.hidden = !alpha;
    this.keepsLine.hidden = this.fps.disabled = !film;
    this.soundLine.hidden = !sound;
    this.silence.hidden = !this.sound;
    const own = this.timeline.song.data?.name;
    this.soundName.textContent = this.sound || (own ? `${own}, the film's song` : '');
    this.fitsLine.hidden = !this.hasSound;
  }

  get hasSound() {
    return Boolean(this.sound) && this.chosen.sound;
  }

  count() {
    const frames = Math.floor(Number(this.to.value) - Number(this.from.value)) + 1;
    const fits = this.hasSound && this.fits.checked, fps = Number(this.fps.value);
    const seconds = fps > 0 && this.chosen.film ? `, ${(frames / fps).toFixed(1)} s` : '';
    this.to.disabled = fits;
    this.says.textContent = fits ? 'as the sound' :
        frames > 0               ? `${frames} ${frames === 1 ? 'frame' : 'frames'              }${seconds}` :
                                   '';
  }

  send(replace = false) {
    const number = input => Number(input.value);
    const stem = this.name.value.trim().replace(/\.[a-z0-9]{2,5}$/, '');
    const wish = {
      type: 'export',
      ...this.wish(stem, this.chosen.endings[0], replace),
      fps: number(this.fps),
      begin: number(this.from),
      end: number(this.to),
      [this.goal]: number(this.amount),
      samples: Math.round(number(this.samples)),
      transparent: !this.transparentLine.hidden && this.transparent.checked,
      keeps: this.keeps.checked,
      sound: this.hasSound,
      fit_sound: this.hasSound && this.fits.checked
    };
    const {width, height, samples, fps} = wish;
    if (!stem || ![width, height, wish[this.goal], samples, fps].every(value => value > 0) ||
        !(wish.begin <= wish.end))
      return this.ask('A name, and numbers above 0, are needed.');
    return this.submit(wish);
  }

  exists({name, folder}) {
    if (!folder) return super.exists({name});
    return super.exists(
        {name}, `${folder} holds pictures that this did not make. `,
        this.chosen.film ? `Replace them and ${name}` : 'Replace them');
  }
}
