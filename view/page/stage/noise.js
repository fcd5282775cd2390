// SPDX-License-Identifier: MIT
// How noisy the picture is, when it will be clean, and where it is not: a map over the picture. The
// program measures it (docs/inside/live-inside.md) when it has nothing else to do; clean is what
// `kiln render --until-noise 1` calls so.

import {byId, make} from '../base/elements.js';

/// From clean to noisy, as light as the noise is.
const ramp =
    [[6, 4, 26], [72, 15, 108], [170, 45, 92], [236, 105, 37], [251, 180, 60], [252, 250, 190]];

function colorAt(share) {
  const at = share * (ramp.length - 1), i = Math.min(ramp.length - 2, Math.floor(at));
  return ramp[i].map((low, c) => Math.round(low + (ramp[i + 1][c] - low) * (at - i)));
}

const percent = share => {
  const value = 100 * share;
  return `${value < 0.1 ? value.toFixed(2) : value.toFixed(1)} %`;
};

const duration = seconds =>
    (seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` :
         seconds < 5400 ? `${Math.round(seconds / 60)} min` :
                          `${(seconds / 3600).toFixed(1)} h`);

export class Noise {
  constructor(editor, connection) {
    this.editor = editor;
    this.connection = connection;
    this.head = null;  // of the newest measure; null: of this flame there is none
    this.shown = false;
    this.button = byId('noise');
    this.button.addEventListener('click', () => this.toggle());
    this.canvas = make('canvas', {id: 'heat', hidden: true, 'aria-hidden': 'true'});
    this.legend = make(
        'figure', {id: 'legend', hidden: true}, make('canvas', {width: 128, height: 1}),
        make('figcaption'));
    byId('frame').append(this.canvas);
    byId('stage').append(this.legend);
    editor.addEventListener('edited', () => this.forget());
    editor.addEventListener('flame', () => this.forget());
    this.say();
  }

  forget() {
    this.head = null;
    this.finished = false;
    this.say();
    this.draw();
  }

  /// A measure of the program's, and a byte a square.
  async hear(head, blob) {
    const levels = new Uint8Array(await blob.arrayBuffer());
    if (head.number !== this.connection.newest || this.connection.waiting) return;
    this.head = head;
    this.levels = levels;
    this.at = performance.now();
    this.say();
    this.draw();
  }

  /// A picture came.
  pictured(head) {
    if (head.number !== this.connection.newest) return;
    this.of = head.of;
    this.finished = head.settled;
    this.say();
  }

  // ---- in words ----

  get words() {
    const {head} = this;
    if (!head) return '';
    const noise = percent(head.noise);
    const isClean = head.clean_quality <= head.quality;
    if (isClean) return `${noise}, clean`;
    const quality = String(Number(head.clean_quality.toPrecision(2)));
    if (this.finished || head.clean_quality > this.of)
      return `${noise}, clean at quality ${quality}`;
    const all = (head.clean_quality - head.quality) * head.seconds_a_quality;
    return `${noise}, clean in ${duration(all - (performance.now() - this.at) / 1000)}`;
  }

  say() {
    clearTimeout(this.timer);
    const {words, button, head} = this;
    button.textContent = words || (this.shown ? 'noise not known yet' : '');
    const blur = head?.counts === 'grain' ? ', not counting the blur of density estimation' : '';
    button.title = head ? `Noise: how far the picture is from one with samples without end${
                              blur}: ${percent(head.noise)} of full light, ` +
            `give or take ${percent(head.error)}. Clean: ${percent(head.clean)}. Shows where (%)` :
                          'The noise is measured when the picture is finished';
    if (words.includes(' in ')) this.timer = setTimeout(() => this.say(), 1000);
  }

  // ---- over the picture ----

  toggle() {
    this.shown = !this.shown;
    this.button.setAttribute('aria-pressed', String(this.shown));
    this.say();
    this.draw();
  }

  draw() {
    const {canvas, legend, head} = this, isThere = this.shown && head !== null;
    canvas.hidden = legend.hidden = !isThere;
    if (!isThere) return;
    const {width, height} = head, camera = this.editor.flame.camera;
    canvas.width = width;
    canvas.height = height;
    const paint = canvas.getContext('2d'), image = paint.createImageData(width, height);
    this.levels.forEach((level, i) => image.data.set([...colorAt(level / 255), 255], 4 * i));
    paint.putImageData(image, 0, 0);
    canvas.style.width =
        `${100 * width * head.side / camera.width}%`;  // the last square may be cut
    canvas.style.height = `${100 * height * head.side / camera.height}%`;
    this.drawLegend(head);
  }

  drawLegend({least, most, clean}) {
    const [bar, caption] = this.legend.children, paint = bar.getContext('2d');
    for (let x = 0; x < bar.width; ++x) {
      paint.fillStyle = `rgb(${colorAt(x / (bar.width - 1))})`;
      paint.fillRect(x, 0, 1, 1);
    }
    const share = Math.log(clean / least) / Math.log(most / least);
    caption.replaceChildren(
        make('span', {}, percent(least)), make('span', {class: 'clean'}, `clean ${percent(clean)}`),
        make('span', {}, percent(most)));
    caption.children[1].style.left = `${100 * share}%`;
  }
}
