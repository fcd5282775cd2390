// SPDX-License-Identifier: MIT
// Times as they are typed and shown: frames, or seconds at a rate of frames.

/// "60", "8 s", "1.5s", "1:20" (minutes and seconds), "1:20.5" in frames; NaN where it is none.
export function framesOf(text, rate) {
  const plain = text.trim().replace(',', '.');
  const seconds = /^(-?(?:\d+\.?\d*|\.\d+)) ?s(?:ec(?:onds?)?)?$/i.exec(plain);
  const minutes = /^(\d+):([0-5]?\d(?:\.\d*)?)$/.exec(plain);
  if (seconds) return Math.round(Number(seconds[1]) * rate);
  if (minutes) return Math.round((60 * Number(minutes[1]) + Number(minutes[2])) * rate);
  return plain === '' ? Number.NaN : Number(plain);
}

/// "1.33 s".
export const secondsText = (frames, rate) => `${Number((frames / rate).toFixed(2))} s`;
