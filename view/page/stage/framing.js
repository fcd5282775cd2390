// SPDX-License-Identifier: MIT
// The camera as a whole: the flame into the picture, and back to how it came or to the plain one.

const plainUnits = 4;  // that the picture is wide, as Apophysis begins
const cameraNames = [
  'center', 'scale', 'zoom', 'rotate', 'cam_pitch', 'cam_yaw', 'cam_persp', 'cam_dist', 'cam_zpos'
];

export class Framing {
  constructor(editor, connection) {
    this.editor = editor;
    this.connection = connection;
    this.came =
        new Map();  // index of a flame -> attributes of its camera when this page saw it first
    this.index = 0;
  }

  /// The program has said which flame is shown.
  took({index}) {
    this.index = index;
    if (!this.came.has(index) && this.editor.flame) this.came.set(index, this.attributes);
  }

  /// Of another run of the program.
  forget() {
    this.came.clear();
  }

  get attributes() {
    const {element} = this.editor.flame;
    return cameraNames.map(name => element.getAttribute(name));
  }

  /// The program knows where the light is.
  fit() {
    this.connection.say({type: 'fit'});
  }

  reset() {
    const {editor} = this, came = this.came.get(this.index);
    if (!editor.flame) return;
    const isThere = !came || String(came) === String(this.attributes);
    const {width} = editor.flame.camera;
    editor.change(flame => {
      for (const [i, name] of cameraNames.entries()) {
        const value = isThere ? null : came[i];
        if (value === null)
          flame.element.removeAttribute(name);
        else
          flame.set(name, value);
      }
      if (isThere) flame.set('scale', width / plainUnits);
    });
  }
}
