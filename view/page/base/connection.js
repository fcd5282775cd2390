// SPDX-License-Identifier: MIT
// The line to the program: docs/inside/live-inside.md has the messages. Of edits that come faster than they
// may be sent only the newest goes out; pictures are decoded one after the other, the stripes of one
// at the same time, and of those that wait only the newest is shown.

import {sendBytes} from './upload.js';

const retryAfterMs = 1500;
const longText = 400000;    // letters: more may be more than a message has room for
const quietMs = 300;        // that a picture may be on its way without a word
const betweenEditsMs = 10;  // the program closes pages that send more than 300 messages a second

/// For who comes with another address than the program printed.
export const notLetIn =
    'the program does not know this address. Open the whole address that kiln printed on the terminal, with its token';

/// A binary message: its head, and as blobs the stripes of the picture, from the top.
function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  let end = 4 + length;
  const blobs = head.stripes.map(({bytes}) => {
    end += bytes;
    return new Blob([new Uint8Array(buffer, end - bytes, bytes)], {type: 'image/' + head.format});
  });
  return [head, blobs];
}

/// Bits of a picture as the file has them, without a change of color.
const decode = blob =>
    createImageBitmap(blob, {colorSpaceConversion: 'none', premultiplyAlpha: 'none'});

export class Connection {
  /// hears: {open, closed(whether this page is not let in), unsent, sent(number of an edit), text(message), picture(head, stripes as bitmaps), thumbnail(head, blob), noise(head, blob), seen(head, blob), wait(head): ms until a picture is to be shown, below 0: never, coming(share)}.
  constructor(hears) {
    this.hears = hears;
    this.token = new URLSearchParams(location.search).get('token') ?? '';
    this.number = 0;  // of the last edit that was sent
    this.newest = 0;  // of the last one that the program did not refuse, as far as it has said so
    this.editSentAt = -Infinity;
    this.waiting = null;   // the newest edit that was not sent yet
    this.wasOpen = false;  // the newest socket, once
    this.undrawn = null;   // the newest picture that was not decoded yet
    this.decoding = false;
    this.view = null;
    this.coming = null;  // a large picture, of which parts have come
    this.apart = false;  // an edit between two keys of a film is no key of it
  }

  address(path) {
    return `${path}?token=${encodeURIComponent(this.token)}`;
  }

  async table(path) {
    const answer = await fetch(this.address(path));
    if (answer.status === 403) throw new Error(notLetIn);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
    return answer.json();
  }

  open() {
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    this.socket = new WebSocket(`${scheme}//${location.host}${this.address('/live')}`);
    this.socket.binaryType = 'arraybuffer';
    this.wasOpen = false;
    this.socket.onopen = () => this.opened();
    this.socket.onclose = () => this.closed();
    this.socket.onmessage = event => this.receive(event.data);
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  opened() {
    this.wasOpen = true;
    this.number = this.newest = 0;
    this.coming = null;
    if (this.waiting) this.hears.unsent();
    this.waiting = null;
    if (this.view) this.send(this.view);
    this.hears.open();
  }

  async closed() {
    setTimeout(() => this.open(), retryAfterMs);
    this.hears.closed(!this.wasOpen && await this.isRefused());
  }

  /// Whether a program is there that does not know the token. Its socket does not say why it closes.
  async isRefused() {
    try {
      return (await fetch(this.address('/live'))).status === 403;
    } catch {
      return false;
    }
  }

  /// Edits of flames, [index, text, film] each, to a program that shows flame `open`; then it shows
  /// `index`. What is in no key of a film yet comes as an edit of it.
  giveBack(edits, open, index, newGesture) {
    const select = wanted => {
      if (wanted !== open) this.say({type: 'select', index: wanted});
      open = wanted;
    };
    for (const [of, text, film] of edits) {
      const gesture = newGesture();
      select(of);
      if (film) this.sayFilm(film.text, film.time, gesture);
      this.edit(gesture, () => text);
    }
    select(index);
    this.sendEdit();
  }

  /// A large picture comes in parts, or does not come any more.
  beginParts({bytes, frame}) {
    if (this.coming && !bytes) this.send({type: 'shown', frame: this.coming.frame});
    this.coming =
        bytes ? {frame, bytes: new Uint8Array(bytes), got: 0, at: performance.now()} : null;
  }

  /// All of it, once it is there.
  addPart(part) {
    const {coming} = this;
    coming.bytes.set(new Uint8Array(part), coming.got);
    coming.got += part.byteLength;
    if (coming.got < coming.bytes.length) {
      if (performance.now() - coming.at > quietMs)
        this.hears.coming(coming.got / coming.bytes.length);
      return null;
    }
    this.coming = null;
    return coming.bytes.buffer;
  }

  receive(data) {
    if (typeof data === 'string') {
      const message = JSON.parse(data);
      if (message.type === 'parts')
        this.beginParts(message);
      else
        this.hears.text(message);
      return;
    }
    const whole = this.coming ? this.addPart(data) : data;
    if (whole) this.take(whole);
  }

  take(data) {
    const [head, blobs] = unpack(data);
    if (head.type === 'thumbnail') this.hears.thumbnail(head, blobs[0]);
    if (head.type === 'seen') this.hears.seen(head, blobs[0]);
    if (head.type === 'noise') this.hears.noise(head, blobs[0]);
    if (head.type === 'frame') this.takeFrame(head, blobs);
  }

  takeFrame(head, blobs) {
    if (this.undrawn) this.send({type: 'shown', frame: this.undrawn.head.frame});
    this.undrawn = {head, blobs};
    if (!this.decoding) this.drawNext();
  }

  async drawNext() {
    this.decoding = true;
    while (this.undrawn) {
      const {head, blobs} = this.undrawn;
      this.undrawn = null;
      try {
        const stripes = await Promise.all(blobs.map(decode)), waitMs = this.hears.wait(head);
        if (waitMs > 1) await new Promise(done => setTimeout(done, waitMs));
        if (waitMs < 0)
          for (const stripe of stripes) stripe.close();
        else
          this.hears.picture(head, stripes);
      } catch (error) {
        this.hears.text({
          type: 'message',
          kind: 'error',
          text: `a picture that the browser cannot read: ${error.message}`
        });
      }
      this.send({type: 'shown', frame: head.frame});
    }
    this.decoding = false;
  }

  send(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
  }

  /// All but edits: what was edited before goes first.
  say(message) {
    this.sendEdit();
    this.send(message);
  }

  /// The flame is a moment of this film.
  sayFilm(text, time, gesture) {
    const message = {type: 'film', time, gesture};
    if (text.length < longText)
      this.say({...message, film: text});
    else
      sendBytes(this, message, new TextEncoder().encode(text));
  }

  setView(width, height, budgetMs) {
    this.view = {type: 'view', width, height, budget_ms: budgetMs, parts: true};
    this.send(this.view);
  }

  /// Before the flame is changed by another gesture: what waits goes as it is.
  finish(gesture) {
    if (this.waiting && this.waiting.gesture !== gesture) this.sendEdit();
  }

  /// text() gives the flame when it is sent; edits of one gesture may overtake each other.
  edit(gesture, text) {
    this.finish(gesture);
    const scheduled = this.waiting !== null;
    this.waiting = {gesture, text};
    if (scheduled) return;
    const early = this.editSentAt + betweenEditsMs - performance.now();
    if (early <= 0)
      this.sendEdit();
    else
      setTimeout(() => this.sendEdit(), early);
  }

  sendEdit() {
    if (!this.waiting) return;
    const {gesture, text} = this.waiting;
    this.waiting = null;
    this.editSentAt = performance.now();
    if (!this.isOpen) return this.hears.unsent();
    this.newest = ++this.number;
    this.sentText = text();  // later edits may have changed the flame when the program takes it
    this.sentGesture = gesture;
    const apart = this.apart ? {apart: true} : {};
    this.send({type: 'edit', number: this.number, gesture, flame: this.sentText, ...apart});
    return this.hears.sent(this.number);
  }
}
