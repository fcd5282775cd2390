// SPDX-License-Identifier: MIT
// Closes a flame of the list. One that has edits which are in no file is asked for; the last one
// stays.

import {byId, make, textButton} from '../base/elements.js';

export class Closing {
  constructor(connection, files, saving, work, notice) {
    this.connection = connection;
    this.files = files;
    this.saving = saving;
    this.work = work;
    this.notice = notice;
    this.dialog = byId('close');
    this.words = make('p', {class: 'name'});
    this.dialog.append(
        make('h2', {id: 'close-title'}, 'Close'), this.words,
        make(
            'div', {class: 'row'}, textButton('Close it', () => this.close(), {class: 'first'}),
            textButton('Save first', () => this.save()),
            textButton('Cancel', () => this.dialog.close(), {class: 'quiet'})));
  }

  ask(index = this.files.index) {
    if (this.files.openOnes.length < 2)
      return this.notice.say('info', 'The last flame stays open: open or make another one first.');
    this.index = index;
    if (!this.work.isUnsaved(index)) return this.close();
    this.words.textContent = `${this.files.names[index]} has edits that are in no file.`;
    this.dialog.showModal();
    return this.dialog.querySelector('.first').focus();
  }

  close() {
    this.dialog.close();
    this.connection.say({type: 'close', index: this.index});
  }

  /// The dialog that saves is of the flame that is shown.
  save() {
    this.dialog.close();
    this.files.go(this.index);
    this.saving.open();
  }
}
