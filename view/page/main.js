// SPDX-License-Identifier: MIT
// The page: makes its parts and carries what the program says to them. Each part is a file of its
// own; editor.js is what they have in common.

import {Connection, notLetIn} from './base/connection.js';
import {Editor} from './base/editor.js';
import {byId} from './base/elements.js';
import {Gallery} from './explore/gallery.js';
import {Glimpses} from './explore/glimpses.js';
import {KeptStates} from './explore/kept.js';
import {Versions} from './explore/versions.js';
import {Bring} from './files/bring.js';
import {Closing} from './files/closing.js';
import {Export} from './files/export.js';
import {Files} from './files/files.js';
import {Many} from './files/many.js';
import {Offer} from './files/offer.js';
import {Open} from './files/open.js';
import {Queue} from './files/queue.js';
import {Render} from './files/render.js';
import {Save} from './files/save.js';
import {Settings} from './files/settings.js';
import {Wall} from './files/wall.js';
import {Work} from './files/work.js';
import {Moves} from './film/moves.js';
import {Timeline} from './film/timeline.js';
import {Drafts} from './frame/drafts.js';
import {Notice, Status, Tabs} from './frame/frame.js';
import {commandsOf, listed, listenToKeys, showHelp, wireButtons} from './frame/keys.js';
import {Layout} from './frame/layout.js';
import {Proof} from './frame/proof.js';
import {Rooms} from './frame/rooms.js';
import {Tour} from './frame/tour.js';
import {Clipboard} from './panel/clipboard.js';
import {Find} from './panel/find.js';
import {FormulaEditor} from './panel/formula.js';
import {Links} from './panel/links.js';
import {AppearancePage, CameraPage, FlamePage} from './panel/look.js';
import {PalettePage} from './panel/palette.js';
import {Ribbon} from './panel/ribbon.js';
import {Shelf} from './panel/shelf.js';
import {Steps} from './panel/steps.js';
import {Variations} from './panel/variations.js';
import {XformPage} from './panel/xforms.js';
import {Framing} from './stage/framing.js';
import {Gizmo} from './stage/gizmo.js';
import {Noise} from './stage/noise.js';
import {Picture} from './stage/picture.js';
import {Repeats} from './stage/repeats.js';
import {Stage} from './stage/stage.js';
import {Touch} from './stage/touch.js';
import {Triangles} from './stage/triangles.js';

const secondsFromKeyToKey = 4;
const twoPagesPx = 640;

class Page {
  constructor() {
    this.connection = new Connection({
      open: () => this.onOpen(),
      closed: refused => this.onClosed(refused),
      unsent: () => {
        this.work.unsent = true;
        this.showNames();
      },
      sent: number => {
        this.picture.remember(number);
        this.past.remember(number);
      },
      text: message => this.hear(message),
      picture: (head, stripes) => this.showPicture(head, stripes),
      thumbnail: (head, blob) => this.glimpses.add(head, blob) ||
          this.timeline.filmStrip.add(head, blob) || this.timeline.addPicture(head, blob) ||
          (head.set === 0 ? this.wall : this.gallery).add(head, blob),
      noise: (head, blob) => this.noise.hear(head, blob),
      wait: head => this.timeline.waitOf(head),
      seen: (head, blob) => this.kept.seen(head, blob),
      coming: share => this.status.coming(share),
    });
    this.editor = new Editor(this.connection);
    this.glimpses = new Glimpses(this.connection);
    this.work = new Work(this.editor, () => this.timeline.moment);
    this.taken = 0;        // number of the last edit that the program has taken
    this.refusal = false;  // the notice says that an edit was refused
    this.notice = new Notice(byId('notice'));
    this.status = new Status();
    this.picture = new Picture(this.editor, this.connection);
    this.triangles = new Triangles(this.editor, this.picture);
    this.stage =
        new Stage(this.editor, this.picture, this.notice, (name, on) => this.pressed(name, on));
    this.touch =
        new Touch(this.editor, this.picture, this.connection, (name, on) => this.pressed(name, on));
    this.framing = new Framing(this.editor, this.connection);
    this.repeats = new Repeats(this.editor, this.picture);
    new Gizmo(this.editor, this.picture);
    new Drafts(this.picture);
    new Proof(this.notice);
    this.noise = new Noise(this.editor, this.connection);
    this.kept = new KeptStates(this.editor, this.connection, this.picture.canvas, this.notice);
    this.versions =
        new Versions(this.editor, this.connection, this.glimpses, this.kept, this.notice);
    this.files = new Files(this.connection);
    this.save = new Save(
        this.editor, this.connection, this.notice, this.files, () => this.timeline.moment?.text);
    this.settings =
        new Settings(this.editor, this.connection, this.files, this.picture.canvas, this.notice);
    this.gallery = new Gallery(this.editor, this.connection, this.files);
    this.clipboard = new Clipboard(this.editor, this.notice);
    this.shelf = new Shelf(this.connection, this.notice);
    this.formula =
        new FormulaEditor(this.editor, this.connection, this.glimpses, this.shelf, this.notice);
    this.past = new Steps(
        this.connection, this.picture.canvas, type => (type === 'undo' ? this.undo() : this.redo()),
        () => this.versions.show());
    this.closing = new Closing(this.connection, this.files, this.save, this.work, this.notice);
    this.bring = new Bring(this.editor, this.connection, this.notice);
    this.wall = new Wall(this.editor, this.connection, this.files, {
      open: () => this.openFiles.open(),
      fresh: () => this.fresh(),
      close: index => this.closing.ask(index),
      paste: which => this.settings.open(which),
      many: (which, what) => this.many.open(which, what),
    });
    this.offer = new Offer(this.connection, this.glimpses, this.notice);
    this.timeline = new Timeline(this.editor, this.connection, this.notice, {
      pressed: (name, on) => this.pressed(name, on),
      play: () => this.play(),
      stop: () => this.connection.say({type: 'stop'}),
      again: message => this.takeText(message),
      flames: () => this.files.others.map(([i, name]) => [i, name, this.files.frames[i] > 0]),
      exports: ending => this.export.open(this.save.proposed, ending),
      moves: number => this.moves.add(number),
    });
    this.moves = new Moves(
        this.editor, this.connection, this.timeline, this.notice,
        (name, on) => this.pressed(name, on));
  }

  /// What stands on tables of the program; then everything can begin.
  async build() {
    const [variations, palettes, attributes, formats] =
        await Promise.all(['variations', 'palettes', 'attributes', 'formats'].map(
            name => this.connection.table(`/${name}.json`)));
    this.openFiles = new Open(this.connection, this.bring, formats);
    this.queue = new Queue(this.connection, this.notice, formats);
    this.render = new Render(this, formats);
    this.export = new Export(this, this.timeline, formats);
    this.many = new Many(this, formats);
    this.xformPage = new XformPage(
        this.editor,
        new Variations(
            this.editor, variations, this.glimpses,
            {shelf: this.shelf, notice: this.notice, edit: name => this.formula.show(name)}),
        this.clipboard, this.triangles.pivot, () => this.play(true));
    const palettePage = new PalettePage(this.editor, palettes, attributes);
    this.library = this.bring.library = palettePage.library;
    this.tabs = new Tabs([
      ['Xforms', this.xformPage.element], ['Palette', palettePage.element],
      ['Look', new AppearancePage(this.editor, attributes).element],
      ['Camera', new CameraPage(this.editor, attributes, this.repeats).element],
      ['Flame', new FlamePage(this.editor, attributes).element], ['Steps', this.past.element]
    ]);
    this.find = new Find(this.tabs, () => listed(this.commands));
    this.layout = new Layout((name, on) => this.pressed(name, on));
    this.links = new Links(this.editor, () => this.timeline.tracks.names, attributes, this.notice);
    new Ribbon(this.editor, () => this.tabs.show('Palette'));
    this.rooms = new Rooms(this);
    this.tour = new Tour();
    this.commands = commandsOf(this);
    wireButtons(this.commands);
    listenToKeys(this.commands);
    this.pressed('triangles', true);
    this.pressed('wide', false);
    this.pressed('touch', false);
    this.stage.begin();
    this.tour.greet();
    this.editor.addEventListener('edited', () => {
      this.resolved();
      this.status.edited();
    });
    this.keepChoice();
    this.guardWork();
    this.connection.open();
  }

  /// The chosen xform, over a reload.
  keepChoice() {
    this.editor.chosen = Number(sessionStorage.getItem('xform')) || 0;
    for (const name of ['flame', 'choose'])
      this.editor.addEventListener(name, () => sessionStorage.setItem('xform', this.editor.chosen));
  }

  /// Nobody leaves the page or closes it by accident.
  guardWork() {
    this.run = this.work.recall();
    addEventListener('pagehide', () => this.work.keep(this.run));
    addEventListener('beforeunload', event => {
      if (this.work.anyUnsaved) event.preventDefault();
    });
  }

  // ---- the line to the program ----

  onOpen() {
    this.taken = 0;
    this.joining = true;
    this.notice.clear();
  }

  onClosed(isRefused) {
    if (this.connection.newest > this.taken) this.work.unsent = true;
    this.status.gone();
    const what = isRefused ? `This page is not let in: ${notLetIn}.` :
                             'The program does not answer; trying again.';
    this.notice.say('error', `${what} The flame is kept here: Save can download it.`, true);
  }

  /// The first word of the program after its welcome is what it shows. What it does
  /// not have any more, or never had, goes back to it.
  join({index: open, flame}) {
    this.joining = false;
    const {work, editor} = this, last = this.files.count - 1;
    if (work.index < 0) work.index = open;  // a page that was at no flame before
    const back = work.takeBack(this.isOtherRun).map(([i, ...rest]) => [Math.min(i, last), ...rest]);
    if (!back.length && !this.isOtherRun && work.index === open) return;
    if (!editor.flame) editor.take(back.at(-1)?.[1] ?? flame);  // this page was loaded again
    this.connection.giveBack(back, open, Math.min(work.index, last), () => editor.begin());
    if (!back.length) return;
    const why = this.isOtherRun ? 'The program was started again' : 'The program is back';
    this.notice.say(
        'warning', `${why}: what you edited was sent to it again. Z undoes that.`, true);
  }

  // ---- from the program ----

  hear(message) {
    const acts = {
      welcome: () => {
        this.isOtherRun = this.run !== undefined && this.run !== message.run;
        this.isFirst = this.run === undefined;
        this.run = message.run;
        if (this.isOtherRun) this.past.forget();
        if (this.isOtherRun) this.framing.forget();
        this.byChance = message.by_chance;
        this.export.hearSound({name: ''});
        this.files.welcome(message);
        this.save.welcome(message);
        this.gallery.welcome(message);
        this.glimpses.forget();
        this.touch.forget();
        this.work.setMarks(message.unsaved);
        this.status.welcome(message);
      },
      flame: () => this.takeFlame(message),
      message: () => this.takeMessage(message),
      saved: () => this.saved(message),
      exists: () => [this.kept, this.many, this.render, this.export, this.save].some(
          asked => asked.exists(message)),
      mutations: () => this.gallery.begin(message),
      pictures: () => {
        this.glimpses.begin(message);
        this.timeline.pictures.begin(message);
      },
      tracks: () => this.timeline.tracks.hear(message),
      song: () => this.timeline.song.hear(message),
      songs: () => this.timeline.song.hearSongs(message),
      levels: () => this.timeline.song.hearLevels(message),
      strip: () => this.timeline.filmStrip.begin(message),
      palettes: () => {
        this.notice.clear();
        this.library.hear(message);
      },
      playing: () => this.setPlaying(message.on),
      mark: () => {
        this.work.mark(message.index, message.unsaved);
        this.files.frames[message.index] = message.frames;
        this.files.rename(message.index, message.name);
        this.showNames();
      },
      flames: () => {
        this.work.setMarks(message.unsaved);
        message.flames.forEach((name, i) => name === null && this.work.forget(i));
        this.files.frames = message.frames;
        this.files.stars = message.stars;
        this.files.list(message.flames);
        this.showNames();
        this.wall.changed();
      },
      files: () => this.openFiles.hearFiles(message),
      recent: () => this.openFiles.hearRecent(message),
      opened: () => this.opened(message),
      sound: () => this.export.hearSound(message),
      lost: () => this.offer.hear(message),
      keeping: () => this.keeping(message),
      states: () => this.kept.hear(message),
      light: () => this.touch.hear(message),
      formula: () => this.formula.hear(message),
      formulas: () => this.shelf.hear(message),
      versions: () => this.versions.hear(message),
      versioned: () => this.versions.hearOf(message),
      version: () => this.versions.hearTexts(message),
      about: () => this.wall.hear(message),
      renders: () => this.queue.hear(message),
    };
    acts[message.type]?.();
  }

  takeFlame(message) {
    if (this.joining) this.join(message);
    this.taken = message.number;
    this.work.took(message);
    this.steps = message;
    this.enabled('undo', message.undo > 0);
    this.enabled('redo', message.redo > 0);
    this.takeText(message);
    this.past.took(message);
    this.framing.took(message);
    this.files.at(message.index, message.name);
    this.versions.at(message.index);
    this.showNames();
    if (this.byChance && this.isFirst) this.gallery.show('random');
    this.isFirst = false;
  }

  takeText(message) {
    const {connection, work} = this;
    // An edit that is still on its way replaces what came.
    const isTaken =
        message.flame !== undefined && message.number >= connection.newest && !connection.waiting;
    if (isTaken) work.show(message.index);  // keeps the film of the flame before
    if (!this.timeline.took(message)) return;
    if (message.own && message.number === connection.newest) {
      work.show(message.index);
      this.editor.accept(connection.sentText);
      this.links.took();
      if (message.linked && !connection.waiting) this.editor.follow(message.linked);
    }
    if (!isTaken) return;
    this.editor.take(message.flame, this.timeline.later.length > 0 || message.moved);
    this.resolved();
    this.status.edited();
    this.picture.remember(message.number);
    this.timeline.goOn();
  }

  /// Several flames are looked at on the wall first.
  opened({count}) {
    this.openFiles.opened();
    if (count > 1) this.wall.show();
  }

  fresh() {
    this.wall.close();
    this.connection.say({type: 'new'});
  }

  openRender() {
    if (this.editor.flame) this.render.open(this.save.proposed);
  }

  /// What is in no file has a mark, in the list and in the title of the browser's tab.
  showNames() {
    this.files.mark(index => this.work.isUnsaved(index));
    const name = this.files.select.selectedOptions[0]?.textContent;
    document.title = name ? `${name} - kiln` : 'kiln';
    this.wall.mark();
  }

  saved(message) {
    this.kept.saved(message);
    this.save.saved(message);
    this.many.saved(message);
    this.showNames();
  }

  /// Edits that are in no file would not outlive the program.
  keeping({trouble}) {
    const says = byId('unkept');
    says.hidden = !trouble;
    says.title = trouble;
    if (trouble)
      this.notice.say('error', `Edits cannot be kept; save what you need: ${trouble}`, true);
  }

  takeMessage({kind, text, number}) {
    const isAboutNow = kind === 'error' && number > 0 && number === this.connection.newest;
    if (isAboutNow) this.refuse(text, number);
    const dialogs = [this.save, this.openFiles, this.render, this.export, this.many, this.formula];
    if (!isAboutNow && dialogs.some(dialog => dialog.failed(kind, text))) return;
    this.notice.say(kind, text, isAboutNow);
  }

  /// The newest edit is not shown: refused, or taken and then there was no picture of it.
  refuse(text, number) {
    this.resolved();
    this.refusal = true;
    this.status.notShown(text);
    if (number === this.taken) return undefined;
    this.wrong = this.editor.sender;
    this.wrong?.markWrong(true);
    this.editor.refused = true;
    this.connection.newest = this.taken;  // its pictures are the finished ones again
    if (this.links.refused(text)) return this.undo();
    return this.enabled('undo', true);
  }

  /// Another edit, or none: what was said of the last one is over.
  resolved() {
    this.wrong?.markWrong(false);
    this.wrong = null;
    if (this.refusal) this.notice.clear();
    this.refusal = false;
  }

  showPicture(head, stripes) {
    this.picture.show(head, stripes);
    this.timeline.pictured(head);
    this.noise.pictured(head);
    this.kept.pictured(head);
    if (this.refusal)
      this.status.head = head;
    else
      this.status.picture(head, this.connection.newest);
    if (head.settled && head.number === this.connection.newest) this.past.settled();
  }

  // ---- what buttons and keys do ----

  enabled(name, on) {
    document.querySelector(`[data-does=${name}]`).disabled = !on;
  }

  pressed(name, on) {
    document.querySelector(`[data-does=${name}]`)?.setAttribute('aria-pressed', String(on));
  }

  undo() {
    const {editor, connection} = this, wasRefused = editor.refused;
    if (!wasRefused && !connection.isOpen)
      return this.notice.say(
          'error', 'The program does not answer: it has the steps of undo.', true);
    const isAll = connection.newest === this.taken && !connection.waiting;
    if (!wasRefused && isAll && !this.steps?.undo) return undefined;  // nothing would come of it
    editor.undo();
    if (!wasRefused) return undefined;
    this.resolved();
    return this.status.again(connection.newest);
  }

  redo() {
    if (this.steps?.redo) this.editor.redo();
  }

  toggleTriangles() {
    this.triangles.show(!this.triangles.shown);
    this.pressed('triangles', this.triangles.shown);
  }

  toggleWide() {
    this.picture.setWide(!this.picture.wide);
    this.pressed('wide', this.picture.wide);
  }

  /// The film; where there is none all flames as keys, or a turn of this one alone.
  play(alone = false) {
    const wish = this.timeline.film && !alone ? this.timeline.playWish() :
                                                {type: 'play', seconds: secondsFromKeyToKey, alone};
    if (this.playing) return this.timeline.stop();
    return this.connection.say(wish);
  }

  setPlaying(on) {
    this.playing = this.picture.playing = on;
    this.timeline.setPlaying(on);
    document.body.classList.toggle('playing', on);
    this.pressed('play', on);
    document.querySelector('[data-does=play] use')
        .setAttribute('href', on ? '#sign-stop' : '#sign-play');
  }

  /// Two pages of the panel beside each other, or one.
  twoPages() {
    const {tabs} = this;
    this.setTwoPages(tabs.isTwo ? null : tabs.names[tabs.index]);
  }

  setTwoPages(stays) {
    this.tabs.stay(stays);
    if (stays) this.layout.widen(twoPagesPx);
  }

  exportFilm() {
    this.timeline.show();
    if (this.timeline.film)
      this.export.open(this.save.proposed);
    else
      this.notice.say('info', 'this flame is of no film: make one here first');
  }

  makeLoop() {
    this.timeline.show();
    this.timeline.make('loop');
  }

  toStage() {
    this.stage.leave();
    if (this.gallery.open) this.gallery.close();
    byId('stage').focus();
  }

  help() {
    showHelp(this.commands, () => this.tour.begin());
  }
}

const page = new Page();
page.build().catch(
    error => page.notice.say('error', `This page cannot begin: ${error.message}`, true));
