// SPDX-License-Identifier: MIT
// A kept state beside the picture: to the left of a line that the hand moves, as the difference of the two,
// which is black where they are alike, or by turns in the same place. The browser's compositor does it; the
// picture goes on as it is. Both say the hash of their pixels once they are finished.

import {byId, make} from '../base/elements.js';

const keyStep = 0.02;
const inside = share => Math.min(1, Math.max(0, share));

export class Compare {
  /// end(): somebody has enough of it.
  constructor(editor, end) {
    this.frame = byId('frame');
    this.mode = 'off';  // or 'split', 'difference', 'blink'
    this.now = '';      // the hash of the picture; empty: it is not finished
    this.one = null;    // the kept state: {name, picture(): a promise of a bitmap, quality, of}
    this.share = 0.5;   // of the frame to the left of the line
    this.gain = 4;      // of the difference
    this.canvas = make('canvas', {id: 'compared', 'aria-hidden': 'true', hidden: true});
    this.line = make(
        'div', {
          id: 'split',
          role: 'slider',
          tabindex: 0,
          hidden: true,
          'aria-label': 'Where the kept state ends',
          'aria-valuemin': 0,
          'aria-valuemax': 100,
          pointerdown: event => this.onDown(event),
          keydown: event => this.onKey(event)
        },
        make('i'));
    this.left = make('button', {
      type: 'button',
      class: 'side left',
      hidden: true,
      title: 'Stop comparing',
      pointerdown: event => event.stopPropagation(),
      click: end
    });
    this.right = make('span', {class: 'side right', hidden: true}, 'now');
    this.hashes =
        ['of-kept', 'of-now'].map(name => make('code', {class: `hash ${name}`, hidden: true}));
    this.frame.append(this.canvas, this.left, this.right, this.line, ...this.hashes);
    new ResizeObserver(() => this.place()).observe(this.frame);
    editor.addEventListener('sight', () => this.place());
  }

  /// Compares with this state from now on; null: with none.
  async with(one, mode = this.mode) {
    const isOther = one !== this.one;
    this.one = one;
    this.mode = one ? mode : 'off';
    this.show();
    if (one && (isOther || this.shownQuality !== one.quality)) await this.draw(one);
  }

  async draw(one) {
    const bitmap = await one.picture();
    if (one !== this.one) return bitmap.close();  // another was chosen meanwhile
    this.shownQuality = one.quality;
    this.canvas.width = bitmap.width;
    this.canvas.height = bitmap.height;
    this.canvas.getContext('2d').drawImage(bitmap, 0, 0);
    bitmap.close();
    return this.place();
  }

  show() {
    const isSplit = this.mode === 'split', isOff = this.mode === 'off';
    this.canvas.hidden = isOff;
    this.line.hidden = !isSplit;
    this.right.hidden = isOff || this.mode === 'difference';
    this.left.hidden = isOff;
    for (const mode of ['difference', 'blink'])
      this.frame.classList.toggle(mode, this.mode === mode);
    this.frame.style.setProperty('--gain', this.gain);
    this.left.textContent = this.one ? `${this.one.says()} ×` : '';
    this.cut(this.share);
    this.prove();
  }

  /// The picture is finished, or another is on its way.
  hashed(hash) {
    if (hash === this.now) return;
    this.now = hash;
    this.prove();
  }

  prove() {
    const kept = this.one?.hash ?? '', isSame = kept !== '' && kept === this.now;
    [kept, this.now].forEach((hash, i) => {
      const place = this.hashes[i];
      place.hidden = this.mode === 'off' || !hash;
      place.title = hash;
      place.textContent = hash.slice(0, 12) + (isSame ? ' = equal to the last bit' : '');
    });
  }

  amplify(gain) {
    this.gain = gain;
    this.show();
  }

  /// As large as fits into the frame, as the picture is.
  place() {
    const {canvas} = this,
          {width, height} = this.frame.getBoundingClientRect();  // not whole pixels
    const scale = Math.min(width / canvas.width, height / canvas.height);
    const x = (width - scale * canvas.width) / 2;
    const y = (height - scale * canvas.height) / 2;
    this.offset = x / scale;
    this.widthPx = width / scale;
    canvas.style.transform = new DOMMatrix().translateSelf(x, y).scaleSelf(scale, scale).toString();
    this.keepInSight();
    this.cut(this.share);
  }

  /// Line and words stay where they can be taken when the picture is larger than the stage.
  keepInSight() {
    const frame = this.frame.getBoundingClientRect();
    const stage = byId('stage').getBoundingClientRect();
    const beyond = {
      left: stage.left - frame.left,
      top: stage.top - frame.top,
      right: frame.right - stage.right,
      bottom: frame.bottom - stage.bottom
    };
    for (const [side, px] of Object.entries(beyond))
      this.frame.style.setProperty(`--seen-${side}`, `${Math.max(0, px)}px`);
  }

  cut(share) {
    this.share = share;
    const {canvas} = this, end = share * this.widthPx - this.offset;
    canvas.style.clipPath =
        this.mode === 'split' ? `inset(0 ${Math.max(0, canvas.width - end)}px 0 0)` : '';
    this.line.style.left =
        `clamp(var(--seen-left), ${100 * share}%, calc(100% - var(--seen-right)))`;
    this.line.setAttribute('aria-valuenow', Math.round(100 * share));
  }

  onDown(event) {
    event.preventDefault();
    event.stopPropagation();  // it is no drag of the camera
    const {line} = this;
    const follow = ({clientX}) => {
      const {left, width} = this.frame.getBoundingClientRect();
      this.cut(inside((clientX - left) / width));
    };
    line.focus();
    line.setPointerCapture(event.pointerId);
    line.addEventListener('pointermove', follow);
    line.addEventListener(
        'lostpointercapture', () => line.removeEventListener('pointermove', follow), {once: true});
  }

  onKey(event) {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    this.cut(inside(this.share + step * keyStep));
  }
}
