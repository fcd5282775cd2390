// The page: makes its parts and carries what the program says to them. Each part is a file of its
// own; editor.js is what they have in common.

import {Connection} from './connection.js';
import {Editor} from './editor.js';
import {byId} from './elements.js';
import {Files} from './files.js';
import {Notice, Status, Tabs} from './frame.js';
import {Gallery} from './gallery.js';
import {commandsOf, listenToKeys, showHelp, wireButtons} from './keys.js';
import {CameraPage, LookPage} from './look.js';
import {PalettePage} from './palette.js';
import {Picture} from './picture.js';
import {Triangles} from './triangles.js';
import {Variations} from './variations.js';
import {XformPage} from './xforms.js';

const secondsFromKeyToKey = 4;

class Page {
  constructor() {
    this.connection = new Connection({
      open: () => this.notice.clear(),
      closed: () => this.notice.say('error', 'The program does not answer. Trying again ...', true),
      sent: number => this.picture.remember(number),
      text: message => this.hear(message),
      picture: (head, stripes) => this.showPicture(head, stripes),
      thumbnail: (head, blob) => this.gallery.add(head, blob),
    });
    this.editor = new Editor(this.connection);
    this.notice = new Notice(byId('notice'));
    this.status = new Status();
    this.picture = new Picture(this.editor, this.connection);
    this.triangles = new Triangles(this.editor, this.picture);
    this.gallery = new Gallery(this.editor, this.connection);
    this.files = new Files(this.editor, this.connection, this.notice);
  }

  /// What stands on tables of the program; then everything can begin.
  async build() {
    const [variations, palettes] = await Promise.all(
        [this.connection.table('/variations.json'), this.connection.table('/palettes.json')]);
    this.xformPage = new XformPage(this.editor, new Variations(this.editor, variations));
    this.tabs = new Tabs([
      ['Xforms', this.xformPage.element],
      ['Palette', new PalettePage(this.editor, palettes).element],
      ['Look', new LookPage(this.editor).element], ['Camera', new CameraPage(this.editor).element]
    ]);
    this.commands = commandsOf(this);
    wireButtons(this.commands);
    listenToKeys(this.commands);
    this.pressed('triangles', true);
    this.pressed('wide', false);
    this.editor.addEventListener('edited', () => this.status.edited());
    this.connection.open();
  }

  // ---- from the program ----

  hear(message) {
    const acts = {
      welcome: () => {
        this.files.welcome(message);
        this.status.welcome(message);
      },
      flame: () => this.takeFlame(message),
      message: () => this.takeMessage(message),
      saved: () => this.files.saved(message),
      exists: () => this.files.exists(message),
      mutations: () => this.gallery.begin(message),
      playing: () => this.setPlaying(message.on),
    };
    acts[message.type]?.();
  }

  takeFlame(message) {
    this.taken = message.number;
    this.files.at(message.index);
    this.enabled('undo', message.undo > 0);
    this.enabled('redo', message.redo > 0);
    if (message.own && message.number === this.connection.newest)
      this.editor.accept(this.connection.sentText);
    // An edit that is still on its way replaces what came.
    if (message.flame === undefined || message.number < this.connection.newest ||
        this.connection.waiting)
      return;
    this.editor.take(message.flame);
    this.status.edited();
    this.picture.remember(message.number);
  }

  takeMessage({kind, text, number}) {
    if (kind === 'error' && number > 0 && number === this.connection.newest) {
      this.editor.refused = true;
      this.connection.newest = this.taken;  // its pictures are the finished ones again
      this.enabled('undo', true);
    }
    if (kind === 'error' && this.files.failed(text)) return;
    this.notice.say(kind, text);
  }

  showPicture(head, stripes) {
    this.picture.show(head, stripes);
    this.status.picture(head, this.connection.newest);
  }

  // ---- what buttons and keys do ----

  enabled(name, on) {
    document.querySelector(`[data-does=${name}]`).disabled = !on;
  }

  pressed(name, on) {
    document.querySelector(`[data-does=${name}]`).setAttribute('aria-pressed', String(on));
  }

  toggleTriangles() {
    this.triangles.show(!this.triangles.shown);
    this.pressed('triangles', this.triangles.shown);
  }

  toggleWide() {
    this.picture.setWide(!this.picture.wide);
    this.pressed('wide', this.picture.wide);
  }

  play() {
    this.connection.say(
        this.playing ? {type: 'stop'} : {type: 'play', seconds: secondsFromKeyToKey});
  }

  setPlaying(on) {
    this.playing = this.picture.playing = on;
    document.body.classList.toggle('playing', on);
    this.pressed('play', on);
    document.querySelector('[data-does=play] use')
        .setAttribute('href', on ? '#sign-stop' : '#sign-play');
  }

  toStage() {
    if (this.gallery.open) this.gallery.close();
    byId('stage').focus();
  }

  help() {
    showHelp(this.commands);
  }
}

const page = new Page();
page.build().catch(
    error => page.notice.say('error', `The page cannot begin: ${error.message}`, true));
