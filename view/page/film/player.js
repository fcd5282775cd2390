// SPDX-License-Identifier: MIT
// The song is heard while its film plays. The program's clock says which frame is made; a picture takes a while until it
// is here, now more, now less. So the song follows a little behind: so far that nearly all pictures are here in
// time, and these wait for their moment of the song; what comes later is left out. Where the song is too early or late its pace changes by a few per
// cent, which nobody hears; from far away it jumps.

import {make} from '../base/elements.js';

const kept = 40;         // pictures that say how late they come
const inTime = 0.96;     // their share that shall wait
const farS = 0.1;        // from there on it jumps
const mostPace = 0.06;   // change of its speed
const mostWaitMs = 250;  // of a picture
const lateS = 0.035;     // from there on a picture is left out
const mostStillS = 0.3;  // but none stands longer for that

export class Player {
  constructor(connection) {
    this.connection = connection;
    this.audio = make('audio', {id: 'song-audio', preload: 'auto', hidden: true});
    this.audio.preservesPitch = true;
    document.body.append(this.audio);
    this.sha256 = null;
    this.isOn = false;
    this.late = [];     // seconds that pictures came behind the song
    this.shownAt = -1;  // when one was shown that was in time, seconds
  }

  /// The song with this digest; null: none.
  async load(sha256) {
    if (sha256 === this.sha256) return;
    this.sha256 = sha256;
    this.audio.pause();
    if (this.audio.src) URL.revokeObjectURL(this.audio.src);
    this.audio.removeAttribute('src');
    if (!sha256) return;
    const answer = await fetch(this.connection.address(`/song/${sha256}`));
    if (!answer.ok || this.sha256 !== sha256) return;
    this.audio.src = URL.createObjectURL(await answer.blob());
  }

  get hasSong() {
    return Boolean(this.audio.src) && !this.audio.error;
  }

  setPlaying(on) {
    this.isOn = on;
    this.late = [];
    if (!on) this.audio.pause();
  }

  /// A picture of this second of the song has come: how long it waits until it is shown, ms; below 0: it is left out.
  wait(second) {
    const {audio} = this;
    if (!this.isOn || !this.hasSong || !Number.isFinite(second)) return 0;
    if (second < 0 || second >= (audio.duration || Infinity)) {
      audio.pause();
      return 0;
    }
    if (audio.paused) {
      this.jump(second - 0.05);
      audio.play().catch(() => {});  // a browser may want a click first
      return 0;
    }
    const late = audio.currentTime - second;
    if (Math.abs(late) > 1) this.jump(second - 0.05);  // the film begins anew
    if (Math.abs(late) > 1 || audio.seeking) return 0;
    this.late.push(late);
    if (this.late.length > kept) this.late.shift();
    if (this.late.length >= 6) this.follow();
    const now = performance.now() / 1000;
    if (late > lateS && now - this.shownAt < mostStillS) return -1;
    this.shownAt = now;
    return Math.max(0, Math.min(mostWaitMs, -late * 1000));
  }

  follow() {
    const sorted = this.late.slice().sort((a, b) => a - b);
    const behind = sorted[Math.floor(inTime * (sorted.length - 1))];
    if (Math.abs(behind) > farS) return this.jump(this.audio.currentTime - behind);
    const pace = Math.max(-mostPace, Math.min(mostPace, -behind));
    this.audio.playbackRate = 1 + (Math.abs(behind) < 0.008 ? 0 : pace);
    return undefined;
  }

  jump(second) {
    this.late = [];
    this.audio.playbackRate = 1;
    this.audio.currentTime = Math.max(0, second);
  }
}
