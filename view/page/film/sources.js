// SPDX-License-Identifier: MIT
// What moves numbers live: bands of a microphone or of a tab that plays, controls of MIDI, axes and buttons of gamepads.
// Each is a level from 0 to 1 by its name: "bass", "midi 1 7" (channel and control), "gamepad 1 axis 2".

const bands = {
  bass: [20, 150],
  low: [150, 500],
  mid: [500, 2500],
  high: [2500, 18000],
  loudness: [20, 18000]
};
export const bandWords = Object.keys(bands);

const fftSize = 2048;
const sensation = 0.3;     // power of the power, as the levels of songs (docs/use/music.md)
const halfS = 8;           // in which a loud moment is forgotten by half
const quietPower = 1e-10;  // what is softer is silence

export class Sources {
  /// moved(name): a control was touched.
  constructor(moved) {
    this.moved = moved;
    this.stream = null;
    this.controls = new Map();  // levels of MIDI, by name
    this.tops = {};             // the loudest power of each band lately
    this.midi = null;
    this.touched = [];  // of gamepads, when they were looked at last
  }

  // ---- sound ----

  get hears() {
    return this.stream !== null;
  }

  /// 'microphone' or 'tab'. Throws what the browser says.
  async listen(kind) {
    const devices = navigator.mediaDevices;
    if (!devices)
      throw new Error('browsers give sound to pages of this machine alone, or by https');
    const raw = {echoCancellation: false, noiseSuppression: false, autoGainControl: false};
    const stream = kind === 'tab' ? await devices.getDisplayMedia({audio: raw, video: true}) :
                                    await devices.getUserMedia({audio: raw});
    if (!stream.getAudioTracks().length) {
      for (const track of stream.getTracks()) track.stop();
      throw new Error('this tab or window gives no sound: choose a tab, and "share its sound"');
    }
    for (const track of stream.getVideoTracks()) track.enabled = false;
    this.deafen();
    this.stream = stream;
    this.context = new globalThis.AudioContext();
    this.analyser = this.context.createAnalyser();
    this.analyser.fftSize = fftSize;
    this.analyser.smoothingTimeConstant = 0;
    this.context.createMediaStreamSource(stream).connect(this.analyser);
    this.heard = new globalThis.Float32Array(this.analyser.frequencyBinCount);
    this.tops = {};
    stream.getAudioTracks()[0].addEventListener('ended', () => this.deafen());
    await this.context.resume();
  }

  deafen() {
    if (!this.stream) return;
    for (const track of this.stream.getTracks()) track.stop();
    this.stream = null;
    this.context.close();
  }

  /// Looks at all sources, `seconds` after the time before.
  look(seconds) {
    if (this.stream) this.analyser.getFloatFrequencyData(this.heard);
    this.passed = seconds;
    this.lookAtGamepads();
  }

  bandLevel(name) {
    if (!this.stream) return undefined;
    const [low, high] = bands[name], perBin = this.context.sampleRate / fftSize;
    let power = 0;
    for (let i = Math.max(1, Math.floor(low / perBin)); i <= high / perBin && i < this.heard.length;
         ++i)
      power += 10 ** (this.heard[i] / 10);
    const top = Math.max(power, (this.tops[name] ?? 0) * 0.5 ** (this.passed / halfS));
    this.tops[name] = top;
    return power < quietPower ? 0 : (power / top) ** sensation;
  }

  // ---- controls ----

  /// Asks for MIDI, once. Throws what the browser says.
  async connectMidi() {
    if (this.midi) return;
    if (!navigator.requestMIDIAccess) throw new Error('this browser has no MIDI');
    this.midi = await navigator.requestMIDIAccess();
    const listen = () => {
      for (const input of this.midi.inputs.values())
        input.onmidimessage = ({data}) => this.hearMidi(data);
    };
    listen();
    this.midi.onstatechange = listen;
  }

  hearMidi([status, control, value]) {
    if ((status & 0xf0) !== 0xb0) return;
    const name = `midi ${(status & 0xf) + 1} ${control}`;
    this.controls.set(name, value / 127);
    this.moved(name);
  }

  lookAtGamepads() {
    for (const pad of navigator.getGamepads?.() ?? []) {
      if (!pad) continue;
      const put = (name, level) => {
        const before = this.controls.get(name);
        this.controls.set(name, level);
        if (before !== undefined && Math.abs(level - before) > 0.2) this.moved(name);
      };
      pad.axes.forEach((axis, i) => put(`gamepad ${pad.index + 1} axis ${i + 1}`, (axis + 1) / 2));
      pad.buttons.forEach(
          (button, i) => put(`gamepad ${pad.index + 1} button ${i + 1}`, button.value));
    }
  }

  /// From 0 to 1; undefined: it is not there.
  level(name) {
    return name in bands ? this.bandLevel(name) : this.controls.get(name);
  }
}
