// Everything that can be done, with its keys: the buttons of the bar, the keyboard and the help all
// come from this one table.

import {byId, make, sign} from './elements.js';
import {turned} from './geometry.js';

const nudgePx = 10;

/// Rows: name, keys, what it does, act(event). Of several keys each has its own argument.
export function commandsOf(page) {
  const {editor, picture, triangles, files, gallery, connection, xformPage, tabs} = page;
  const camera = (what, move) => picture.moveMiddle(what, move);
  const affine = (what, work) => triangles.edit(what, work);
  const arrows = (event, act) => {
    const [dx, dy] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
    act(dx, dy);
  };
  const nudge = (event, px) => arrows(event, (dx, dy) => triangles.nudge(dx * px, dy * px));
  const pan = event => arrows(event, (dx, dy) => camera('pan', {dx: -dx * 0.03, dy: -dy * 0.03}));
  const all = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
  return [
    {group: 'Flame'},
    {name: 'undo', keys: ['Ctrl+z', 'z'], says: 'Undo', act: () => connection.say({type: 'undo'})},
    {name: 'redo', keys: ['Ctrl+Shift+Z', 'Ctrl+y', 'Shift+Z'], says: 'Redo', act: () => connection.say({type: 'redo'})},
    {name: 'previous', keys: ['PageUp'], says: 'Previous flame', act: () => files.next(-1)},
    {name: 'next', keys: ['PageDown'], says: 'Next flame', act: () => files.next(1)},
    {name: 'random', keys: ['r'], says: 'A flame by chance', act: () => connection.say({type: 'random'})},
    {name: 'mutate', keys: ['m'], says: 'Mutations', act: () => gallery.toggle()},
    {name: 'play', keys: ['Space'], says: 'Play the flames as keys of an animation', act: () => page.play()},
    {name: 'save', keys: ['s', 'Ctrl+s'], says: 'Save the flame', act: () => files.open('flam3')},
    {name: 'savePicture', keys: ['Shift+S', 'Ctrl+Shift+S'], says: 'Save the picture', act: () => files.open('png')},
    {name: 'help', keys: ['?', 'F1'], says: 'All keys', act: () => page.help()},
    {group: 'Xforms'},
    {name: 'choose', keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], shown: '1 ... 9', says: 'Choose an xform', act: event => editor.choose(Number(event.key) - 1)},
    {name: 'final', keys: ['0'], says: 'Choose or add the final xform', act: () => editor.addFinal()},
    {name: 'add', keys: ['n'], says: 'New xform', act: () => editor.addXform()},
    {name: 'duplicate', keys: ['d'], says: 'A copy of the xform', act: () => editor.duplicateXform()},
    {name: 'remove', keys: ['Delete'], says: 'Remove the xform', act: () => editor.removeXform()},
    {name: 'variation', keys: ['v'], says: 'Add a variation', act: () => { tabs.show('Xforms'); xformPage.addVariation(); }},
    {name: 'post', keys: ['p'], says: 'Its affine or its post affine', act: () => editor.chooseAffine(editor.affineName === 'post' ? 'coefs' : 'post')},
    {group: 'Triangle of the xform'},
    {name: 'triangles', keys: ['t'], says: 'Show or hide triangles', act: () => page.toggleTriangles()},
    {name: 'nudge', keys: all, shown: 'arrows', says: 'Move it (Alt: finely)', act: event => (triangles.shown ? nudge(event, nudgePx) : pan(event))},
    {name: 'nudgeFinely', keys: all.map(key => 'Alt+' + key), hidden: true, act: event => nudge(event, 1)},
    {name: 'turnLeft', keys: ['q'], says: 'Turn it to the left', act: () => affine('turn', old => turned(old, 1, -5))},
    {name: 'turnRight', keys: ['e'], says: 'Turn it to the right', act: () => affine('turn', old => turned(old, 1, 5))},
    {name: 'smaller', keys: ['-'], says: 'Make it smaller', act: () => affine('size', old => turned(old, 1 / 1.05, 0))},
    {name: 'larger', keys: ['+', '='], says: 'Make it larger', act: () => affine('size', old => turned(old, 1.05, 0))},
    {group: 'Camera'},
    {name: 'pan', keys: all.map(key => 'Shift+' + key), shown: 'Shift arrows', says: 'Move (without triangles: arrows alone)', act: event => pan(event)},
    {name: 'closer', keys: ['i'], says: 'Closer', act: () => camera('zoom', {factor: 1.1})},
    {name: 'away', keys: ['o'], says: 'Further away', act: () => camera('zoom', {factor: 1 / 1.1})},
    {name: 'rotateLeft', keys: ['['], says: 'Turn to the left', act: () => camera('rotate', {degrees: -5})},
    {name: 'rotateRight', keys: [']'], says: 'Turn to the right', act: () => camera('rotate', {degrees: 5})},
    {name: 'wide', keys: ['w'], says: 'Room around the picture', act: () => page.toggleWide()},
    {group: 'Panel'},
    {name: 'xforms', keys: ['x'], says: 'Xforms', act: () => tabs.show('Xforms', true)},
    {name: 'palette', keys: ['c'], says: 'Palette', act: () => tabs.show('Palette', true)},
    {name: 'look', keys: ['l'], says: 'Look', act: () => tabs.show('Look', true)},
    {name: 'camera', keys: ['f'], says: 'Camera', act: () => tabs.show('Camera', true)},
    {name: 'stage', keys: ['Escape'], says: 'Back to the picture', act: () => page.toStage()},
    {name: 'tab', keys: [], shown: 'Tab', says: 'From field to field'},
    {name: 'scrub', keys: [], shown: '↑ ↓ in a number', says: 'More or less (Shift: ten times, Alt: a tenth)'},
    {group: 'Mouse and touch'},
    {name: 'm1', keys: [], shown: 'drag', says: 'A triangle, its corners, its ring; else the camera'},
    {name: 'm2', keys: [], shown: 'wheel, two fingers', says: 'Closer and further away; fingers turn too'},
    {name: 'm3', keys: [], shown: 'Shift or right drag', says: 'Turns the camera'},
    {name: 'm4', keys: [], shown: 'drag on a number', says: 'Scrubs it'},
  ];
}

/// "Ctrl+Shift+Z": what the event is called in the table.
function nameOf(event) {
  const key = event.key === ' ' ? 'Space' : event.key;
  const shift = event.shiftKey && (key.length > 1 || /[a-z]/i.test(key));  // "?" is a key of its own on any keyboard
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`;
}

const typesText = element => element?.matches('input[type=text], input[type=color], select, textarea');

/// Keys that an element in focus has a use of its own for.
const ownKeys = element => (element?.matches('button, summary') ? ['Space', 'Enter'] : []);

export function listenToKeys(commands) {
  const byKey = new Map(commands.flatMap(command => (command.keys ?? []).map(key => [key, command])));
  document.addEventListener('keydown', event => {
    const name = nameOf(event), command = byKey.get(name), target = document.activeElement;
    if (!command || document.querySelector('dialog[open]')) return;
    if (typesText(target) && !event.ctrlKey && !event.metaKey && name !== 'Escape' && name !== 'F1') return;
    if (ownKeys(target).includes(name)) return;
    event.preventDefault();
    command.act(event);
  });
}

/// Buttons of the bar: data-does names the command, data-sign its sign, data-says a word beside it.
export function wireButtons(commands) {
  const byName = new Map(commands.map(command => [command.name, command]));
  for (const button of document.querySelectorAll('[data-does]')) {
    const command = byName.get(button.dataset.does);
    const title = `${command.says} (${command.keys.map(keyText)[0]})`;
    button.type = 'button';
    button.title = title;
    button.setAttribute('aria-label', command.says);
    button.append(sign(button.dataset.sign));
    if (button.dataset.says) button.append(make('span', {}, button.dataset.says));
    button.addEventListener('click', event => command.act(event));
  }
}

const keyText = key => key.replace(/(^|\+)([a-z])$/, (_, before, letter) => before + letter.toUpperCase())
                           .replace('PageUp', 'Page up').replace('PageDown', 'Page down').replace('Escape', 'Esc');

export function showHelp(commands) {
  const dialog = byId('help');
  if (!dialog.childElementCount) {
    const groups = [];
    for (const command of commands) {
      if (command.group) groups.push(make('section', {}, make('h3', {}, command.group)));
      else if (!command.hidden) groups.at(-1).append(helpRow(command));
    }
    dialog.append(make('header', {}, make('h2', {id: 'help-title'}, 'Keys'),
                       make('button', {type: 'button', class: 'quiet', click: () => dialog.close()}, 'Close')),
                  make('div', {class: 'columns'}, ...groups));
  }
  dialog.showModal();
}

function helpRow({keys, shown, says}) {
  const parts = shown ? [shown] : keys.map(keyText);
  return make('p', {}, make('span', {class: 'keys'}, ...parts.map(part => make('kbd', {}, part))), make('span', {}, says));
}
