// SPDX-License-Identifier: MIT
// Small pictures of what the entries of a list would make of the present flame, of those that are in
// sight. The program makes them before anything else but edits; the newest list is the one that counts.

const widthPx = 96, restMs = 80, mostAsked = 24, mostLetters = 1 << 20;

export class Glimpses {
  constructor(connection) {
    this.connection = connection;
    this.asks = 0;
    this.asked = [];  // images of the newest list
    this.forget();
  }

  /// What is on its way is not wanted any more.
  forget() {
    this.set = -1;
    this.number = 0;  // of the newest list, until the program has begun it
  }

  /// pairs: [image, text of a flame] each.
  ask(pairs, width = widthPx) {
    let letters = 0;
    const wanted =
        pairs.slice(0, mostAsked).filter(([, text]) => (letters += text.length) < mostLetters);
    if (!wanted.length) return;
    this.forget();
    this.number = ++this.asks;
    this.asked = wanted.map(([image]) => image);
    this.connection.say(
        {type: 'pictures', number: this.number, width, flames: wanted.map(([, text]) => text)});
  }

  begin({set, number}) {
    if (number === this.number) this.set = set;
  }

  /// Whether it is one of these.
  add({set, place}, blob) {
    const image = set === this.set && this.asked[place];
    if (!image) return false;
    image.src = URL.createObjectURL(blob);
    return true;
  }

  /// Asks for the images in sight of those in `root`; flameOf(image): the text, if it has one.
  watch(root, flameOf) {
    const all = [], inSight = new Set();
    let timer = 0;
    const ask = () => {
      const missing = [...inSight].filter(image => !image.hasAttribute('src'));
      this.ask(missing.map(image => [image, flameOf(image)]).filter(([, text]) => text));
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(ask, restMs);
    };
    const observer = new IntersectionObserver(seen => {
      for (const {target, isIntersecting} of seen)
        inSight[isIntersecting ? 'add' : 'delete'](target);
      later();
    }, {root});
    return {
      observe: image => {
        all.push(image);
        observer.observe(image);
      },
      /// They are gone.
      drop: images => {
        for (const image of images) {
          observer.unobserve(image);
          inSight.delete(image);
          all.splice(all.indexOf(image), 1);
          URL.revokeObjectURL(image.src);
        }
      },
      /// The flame is another one.
      again: () => {
        this.forget();
        for (const image of all.filter(image => image.hasAttribute('src'))) {
          URL.revokeObjectURL(image.src);
          image.removeAttribute('src');
        }
        later();
      }
    };
  }
}
