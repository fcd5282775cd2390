// SPDX-License-Identifier: MIT
// Bytes of files on their way to the program.

const partBytes = 900000;  // of a message; a multiple of 3, as base64 wants it
const pngStart = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const emptyPixels = new Uint8Array([0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54, 0x35, 0xaf, 0x06, 0x1e]);

/// The segments of a JPEG up to its pixels, and its end.
function leanJpeg(bytes) {
  let at = 2, isPixels = false;
  while (!isPixels && at + 4 <= bytes.length && bytes[at] === 0xff) {
    isPixels = bytes[at + 1] === 0xda;
    at += 2 + bytes[at + 2] * 256 + bytes[at + 3];
  }
  return isPixels ? new Uint8Array([...bytes.subarray(0, at), 0xff, 0xd9]) : bytes;
}

/// A PNG or a JPEG without its pixels, which nobody needs to read its flame; other files as they are.
export async function lean(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return leanJpeg(bytes);
  if (!pngStart.every((byte, i) => bytes[i] === byte)) return bytes;
  const view = new DataView(bytes.buffer), parts = [bytes.subarray(0, 8)];
  let wasPixels = false;
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + view.getUint32(at);
    const isPixels = String.fromCharCode(...bytes.subarray(at + 4, at + 8)) === 'IDAT';
    if (!isPixels) parts.push(bytes.subarray(at, end));
    if (isPixels && !wasPixels) parts.push(emptyPixels);
    wasPixels ||= isPixels;
    at = end;
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export function base64(bytes) {
  let text = '';
  for (let i = 0; i < bytes.length; i += 8192)
    text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text);
}

/// To the program, in parts; `message` says what shall come of them.
export function sendBytes(connection, message, bytes) {
  for (let at = 0; at === 0 || at < bytes.length; at += partBytes)
    connection.say({
      ...message,
      bytes: base64(bytes.subarray(at, at + partBytes)),
      more: at + partBytes < bytes.length
    });
}
