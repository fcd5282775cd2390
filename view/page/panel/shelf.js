// SPDX-License-Identifier: MIT
// Formulas that the user keeps, for all flames: the program has them in a folder, a file of each, and says them anew
// when they change.

import {fieldsOfText, isSame} from '../base/formula.js';

export class Shelf extends EventTarget {
  constructor(connection, notice) {
    super();
    this.connection = connection;
    this.notice = notice;
    this.all = [];  // fields
    this.folder = '';
    this.said = '';  // of files that cannot be read
  }

  /// `other`: a formula of this name is kept already, with another text.
  hear({folder, formulas, troubles, other}) {
    if (other === undefined) {
      this.all = formulas.map(fieldsOfText);
      this.folder = folder;
      const trouble = troubles.join('; ');
      if (trouble && trouble !== this.said) this.notice.say('warning', trouble);
      this.said = trouble;
    }
    this.dispatchEvent(new Event(other === undefined ? 'change' : 'other'));
  }

  /// What lies there now: a file may have come.
  ask() {
    this.connection.say({type: 'formulas'});
  }

  named(name) {
    return this.all.find(one => one.name === name);
  }

  has(fields) {
    const mine = this.named(fields.name);
    return mine !== undefined && isSame(mine, fields);
  }

  keep(name, flame, replace) {
    this.connection.say({type: 'formulas', keep: name, flame, ...(replace ? {replace} : {})});
  }

  forget(name) {
    this.connection.say({type: 'formulas', forget: name});
  }
}
