// The hash of the finished picture: a press copies it and says what it proves.

import {byId} from './elements.js';

export class Proof {
  constructor(notice) {
    this.notice = notice;
    this.button = byId('hash');
    this.button.addEventListener('click', () => this.copy());
  }

  async copy() {
    const {hash} = this.button.dataset;
    if (!hash) return;
    const says =
        'This is the render: kiln render of the saved flame makes the picture with this hash.';
    try {
      await navigator.clipboard.writeText(hash);
      this.notice.say('info', `${says} Copied.`);
    } catch {
      this.notice.say('info', `${says} ${hash}`, true);
    }
  }
}
