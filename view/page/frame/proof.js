// SPDX-License-Identifier: MIT
// The hash of the finished picture: a press copies it and says what it proves.

import {byId} from '../base/elements.js';

/// Of a frame of a film that is cleaned.
export const cleanedAlone =
    'cleaned alone; kiln animate cleans it with the frames around it, so its frame has another hash';

export class Proof {
  constructor(notice) {
    this.notice = notice;
    this.button = byId('hash');
    this.button.addEventListener('click', () => this.copy());
  }

  async copy() {
    const {hash, alone} = this.button.dataset;
    if (!hash) return;
    const says = alone ?
        `This frame is ${cleanedAlone}.` :
        'This is the render: kiln render of the saved flame makes the picture with this hash.';
    try {
      await navigator.clipboard.writeText(hash);
      this.notice.say('info', `${says} Copied.`);
    } catch {
      this.notice.say('info', `${says} ${hash}`, true);
    }
  }
}
