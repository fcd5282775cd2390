// SPDX-License-Identifier: MIT
// The dialog that opens: files of the folder that the program was started in, those that were open
// before, files of the machine where the browser is, and a new flame.

import {make, textButton} from '../base/elements.js';

import {Dialog} from './dialog.js';

const sizeText = bytes => (
    bytes < 1e5 ? `${Math.max(1, Math.round(bytes / 1000))} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

export class Open extends Dialog {
  /// formats: what GET /formats.json says.
  constructor(connection, bring, formats) {
    super('open');
    const pictures = formats.flatMap(({film, endings}) => (film ? [] : endings));
    this.endings = ['flam3', 'flame', 'xml', 'kiln', ...pictures];
    this.connection = connection;
    this.bring = bring;
    this.folder = '';
    this.recent = [];
    this.build();
  }

  build() {
    this.way = make('nav', {class: 'way', 'aria-label': 'Folder'});
    this.list = make('div', {class: 'options', keydown: event => this.onKey(event)});
    this.filter = make('input', {
      type: 'text',
      id: 'open-filter',
      placeholder: 'search',
      'aria-label': 'Search: files',
      autocomplete: 'off',
      spellcheck: 'false',
      input: () => this.showList(),
      keydown: event => this.onKey(event)
    });
    this.chooser = make('input', {
      type: 'file',
      id: 'open-file',
      multiple: true,
      hidden: true,
      accept: this.endings.map(ending => `.${ending}`).join(),
      change: () => this.upload()
    });
    const fromHere = textButton('From this computer …', () => this.chooser.click());
    const fresh = textButton('New', () => this.fresh(), {title: 'A random flame'});
    this.dialog.append(
        this.header('Open'), make('div', {class: 'row'}, fresh, fromHere, this.chooser),
        this.filter, this.way, this.list, this.question);
  }

  open() {
    this.ask(this.connection.isOpen ? '' : 'The program does not answer.');
    this.filter.value = '';
    this.list.replaceChildren();
    this.go(this.folder);
    this.show();
    this.filter.focus();
  }

  fresh() {
    this.connection.say({type: 'new'});
    this.dialog.close();
  }

  upload() {
    this.bring.send([...this.chooser.files]);
    this.chooser.value = '';
    this.dialog.close();
  }

  go(folder) {
    this.connection.say({type: 'files', folder});
  }

  get(message) {
    this.ask();
    this.connection.say({type: 'open', ...message});
  }

  // ---- from the program ----

  hearRecent({files}) {
    this.recent = files;
  }

  hearFiles({folder, folders, files, cut}) {
    this.folder = folder;
    this.content = {folders, files, cut};
    this.filter.value = '';
    this.showWay();
    this.showList();
  }

  opened() {
    this.dialog.close();
  }

  // ---- the list ----

  showWay() {
    const names = this.folder.split('/').filter(Boolean);
    const step = (name, i) => textButton(name, () => this.go(names.slice(0, i).join('/')));
    this.way.replaceChildren(
        step('here', 0), ...names.flatMap((name, i) => ['/', step(name, i + 1)]),
        this.content.files.length ?
            textButton(
                'Open all', () => this.get({path: this.folder || '.'}),
                {class: 'all', title: 'All .flam3 and .flame files of this folder'}) :
            '');
  }

  showList() {
    const {folders, files, cut} = this.content ?? {folders: [], files: []};
    const words = this.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = name => words.every(word => name.toLowerCase().includes(word));
    const path = name => (this.folder ? `${this.folder}/${name}` : name);
    const entry = (name, detail, act, kind) => make(
        'button', {type: 'button', class: `option ${kind}`, title: name, click: act},
        make('b', {}, name), make('span', {}, detail));
    const here = [
      ...folders.filter(wanted).map(
          name => entry(`${name}/`, 'folder', () => this.go(path(name)), 'folder')),
      ...files.filter(({name}) => wanted(name))
          .map(
              ({name, bytes}) =>
                  entry(name, sizeText(bytes), () => this.get({path: path(name)}), 'file'))
    ];
    const before = this.recent.map((file, i) => [file, i]).filter(([file]) => wanted(file));
    const recent = before.map(
        ([file, i]) => entry(file.split('/').at(-1), file, () => this.get({recent: i}), 'recent'));
    this.list.replaceChildren(
        ...here, here.length ? '' : make('p', {class: 'hint'}, 'No flames here.'),
        cut ? make('p', {class: 'hint'}, 'There are more; search narrows what is shown.') : '',
        ...(recent.length ? [make('h3', {}, 'Recent'), ...recent] : []));
  }

  onKey(event) {
    const entries = [...this.list.querySelectorAll('button')];
    const at = entries.indexOf(document.activeElement);
    if (event.key === 'Enter' && at < 0) {
      event.preventDefault();
      entries[0]?.click();
    }
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (!step) return;
    event.preventDefault();
    (entries[at + step] ?? (at + step < 0 ? this.filter : undefined))?.focus();
  }
}
