// SPDX-License-Identifier: MIT
// Small pictures of the key flames of a film, by what these look like: a key that is moved or copied
// has its picture already. Some are asked for at a time, the next ones when they have come.

const widthPx = 112, most = 24,
      firstNumber = 1e6;  // apart from other pictures' numbers

export class KeyPictures {
  constructor(connection) {
    this.connection = connection;
    this.all = new Map();  // by the looks of a key: an address
    this.asked = {number: firstNumber, set: -1, looks: []};
  }

  get(looks) {
    return this.all.get(looks);
  }

  ask(keys) {
    const missing = new Set();
    for (const {looks} of keys)
      if (!this.all.has(looks) && missing.size < most) missing.add(looks);
    if (!missing.size) return;
    this.asked = {number: this.asked.number + 1, set: -1, looks: [...missing]};
    this.connection.say(
        {type: 'pictures', number: this.asked.number, width: widthPx, flames: this.asked.looks});
  }

  begin({set, number}) {
    if (number === this.asked.number) this.asked.set = set;
  }

  /// The looks that this is a picture of; false: it is none of these pictures.
  add({set, place}, blob) {
    const looks = set === this.asked.set && this.asked.looks[place];
    if (!looks) return false;
    this.all.set(looks, URL.createObjectURL(blob));
    this.isAllThere = place === this.asked.looks.length - 1;
    return looks;
  }
}
