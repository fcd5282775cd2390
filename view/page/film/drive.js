// SPDX-License-Identifier: MIT
// How the song drives a number: the form that writes it into the film as a track, in the words of files
// (docs/use/music.md).

import {choice, make, signButton, textButton} from '../base/elements.js';

import {easings, trackLabel} from './film.js';
import {soundWords} from './song.js';

const ofMoments = ['onset', 'beat', 'bar'];
const ownBand = 'own band';

const ofDegrees = /turn$|rotate|hue|angle/;

/// What a number goes to where nobody has said: something that is seen.
function beyond(name, value) {
  if (ofDegrees.test(name)) return value + 45;
  return value === 0 ? 0.5 : Number((value * 1.5).toPrecision(4));
}

export class Drive {
  constructor(timeline) {
    this.timeline = timeline;
    this.build();
  }

  build() {
    const field = (id, label, usual) => make('input', {
      type: 'text',
      id: `drive-${id}`,
      'aria-label': label,
      title: label,
      placeholder: usual,
      autocomplete: 'off',
      spellcheck: 'false',
      keydown: event => {
        if (event.key === 'Enter') this.take();
        if (event.key === 'Escape') this.element.hidden = true;
        if (!event.ctrlKey && !event.metaKey) event.stopPropagation();
      }
    });
    const select = (id, label, words, act = () => {}) => {
      const made = choice(label, words, act);
      made.id = `drive-${id}`;
      made.title = label;
      return made;
    };
    this.what = make('b', {id: 'drive-what'});
    this.sound = select('sound', 'What of the song', [...soundWords, ownBand], () => this.show());
    this.band = field('band', 'A band in Hz: from-to', '60-250');
    this.from = field('from', 'Its value at silence', '');
    this.to = field('to', 'Its value at the loudest', '');
    this.easing = select(
        'easing', 'How it goes from one to the other',
        easings.filter(name => name !== 'smooth' && name !== 'curve'));
    this.each =
        select('each', 'Takes the level there alone', ['always', ...ofMoments], () => this.show());
    this.shape = select('shape', 'And then', ['decay', 'held', 'steps']);
    this.attack = field('attack', 'Seconds of a rise', '0.01');
    this.release = field('release', 'Seconds of a fall', '0.15');
    this.threshold = field('threshold', 'Below this level it is 0', '0');
    this.delay = field('delay', 'Seconds later than it is heard', '0');
    const pair = (says, ...inputs) => make('label', {class: 'check'}, says, ...inputs);
    this.shapeLine = pair('then', this.shape);
    this.says = make('span', {class: 'muted', role: 'status'});
    this.element = make(
        'div',
        {class: 'drive', hidden: true, role: 'group', 'aria-label': 'Drive a number by the song'},
        this.what, pair('by', this.sound), this.band, pair('from', this.from), pair('to', this.to),
        pair('way', this.easing), pair('each', this.each), this.shapeLine,
        pair('attack', this.attack), pair('release', this.release), pair('above', this.threshold),
        pair('delay', this.delay),
        textButton('Drive it', () => this.take(), {id: 'drive-take', class: 'small primary'}),
        this.says, signButton('remove', 'Close', () => {
          this.element.hidden = true;
        }));
  }

  /// A number with its value now, as texts; a track that drives it already.
  open({name, xform, value}) {
    this.wanted = {name, xform};
    const track = this.timeline.film?.track(xform, name);
    const read = (key, otherwise = '') => track?.getAttribute(key) ?? otherwise;
    const sound = read('sound', 'bass'), isBand = !soundWords.includes(sound);
    const numbers = value.split(' ').map(Number);
    this.sound.value = isBand ? ownBand : sound;
    this.band.value = isBand ? sound : '';
    this.from.value = read('from', value);
    this.to.value = read('to', numbers.map(one => beyond(name, one)).join(' '));
    this.easing.value = read('easing', 'linear');
    this.each.value = read('each', 'always');
    this.shape.value = read('shape', 'decay');
    for (const key of ['attack', 'release', 'threshold', 'delay']) this[key].value = read(key);
    this.show();
    this.element.hidden = false;
    this.to.focus();
    this.to.select();
  }

  show() {
    const {name, xform} = this.wanted, {film} = this.timeline;
    const isMoment = ofMoments.includes(this.sound.value) || this.each.value !== 'always';
    this.band.hidden = this.sound.value !== ownBand;
    this.shapeLine.hidden = !isMoment;
    this.release.placeholder = isMoment ? '0.25' : '0.15';
    this.attack.placeholder = isMoment ? '0' : '0.01';
    const label = document.createElement('kiln_track');
    label.setAttribute('name', name);
    if (xform) label.setAttribute('xform', xform);
    this.what.textContent = trackLabel(label);
    const keys = film?.track(xform, name)?.childElementCount;
    this.says.textContent = !film?.sound ? 'the film has no song yet: choose one by "Song ..."' :
        keys                             ? `its ${keys} keys go` :
                                           '';
  }

  /// Writes the track into the film.
  take() {
    const {timeline} = this, {name, xform} = this.wanted, text = key => this[key].value.trim();
    const numbers = key => text(key).replaceAll(',', ' ').split(/\s+/).map(Number);
    const bad =
        ['from', 'to'].find(key => !text(key) || numbers(key).some(one => !Number.isFinite(one)));
    const isBand = this.sound.value === ownBand, isMoment = !this.shapeLine.hidden;
    if (bad) return this.mark(this[bad]);
    if (isBand && !/^\d+(\.\d+)?-\d+(\.\d+)?$/.test(text('band'))) return this.mark(this.band);
    if (!timeline.film?.sound) return this.show();
    this.element.hidden = true;
    const attributes = {
      sound: isBand ? text('band') : this.sound.value,
      from: numbers('from').join(' '),
      to: numbers('to').join(' '),
      each: this.each.value === 'always' ? '' : this.each.value,
      shape: isMoment && this.shape.value !== 'decay' ? this.shape.value : '',
      easing: this.easing.value === 'linear' ? '' : this.easing.value,
      attack: text('attack'),
      release: text('release'),
      threshold: text('threshold'),
      delay: text('delay')
    };
    return timeline.change(film => film.driveBy(xform, name, attributes));
  }

  mark(input) {
    input.focus();
    input.select();
    this.says.textContent = `${input.getAttribute('aria-label')}: a number is needed`;
  }
}
