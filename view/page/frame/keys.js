// SPDX-License-Identifier: MIT
// Everything that can be done, with its keys: the buttons of the bar, the keyboard and the help all
// come from this one table.

import {byId, make, sign, textButton} from '../base/elements.js';

import {roomNames} from './rooms.js';

const nudgePx = 10, panShare = 0.03;  // of a key; the share is of the picture's height

const arrows = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
};
const withArrows = prefix => Object.keys(arrows).map(key => prefix + key).join(' ');

/// Rows of the table; `keys` has a blank between two, `shown` says them in a word.
const row = (name, keys, says, act, shown) => ({name, keys: keys.split(' '), says, act, shown});
const title = group => ({group});

/// What has no key: for the list of commands.
const more = (says, act) => ({name: '', keys: [], says, act});

/// What only the mouse does, or every field: a row of the help alone.
const hint = (shown, says) => ({name: '', keys: [], says, shown});

export function commandsOf(page) {
  return [
    ...flameCommands(page), ...xformCommands(page), ...triangleCommands(page),
    ...cameraCommands(page), ...stageCommands(page), ...panelCommands(page)
  ];
}

const flameCommands = (page, {connection, files, gallery} = page) =>
    [title('Flame'),
     row('undo', 'Ctrl+z z', 'Undo', () => page.undo()),
     row('redo', 'Ctrl+Shift+Z Ctrl+y Shift+Z', 'Redo', () => page.redo()),
     row('previous', 'PageUp', 'Previous flame', () => files.next(-1)),
     row('next', 'PageDown', 'Next flame', () => files.next(1)),
     row('random', 'r', 'A random flame', () => connection.say({type: 'random'})),
     row('mutate', 'm', 'Mutations, children, random flames', () => gallery.toggle()),
     hint('Shift click there', 'Breeds the flame with that one (or a held finger)'),
     row('keep', 'k', 'Keep this state', () => page.kept.keep()),
     row('kept', 'Shift+K', 'Kept states', () => page.kept.toggle()),
     row('compare', 'Shift+C', 'Compare with the kept one: split, difference, blink, off',
         () => page.kept.next()),
     row('versions', 'Shift+U', 'Versions: every step of this flame, of other days too',
         () => page.versions.toggle()),
     row('copyState', 'Shift+D', 'Make a copy of this state', () => page.versions.copy()),
     row('play', 'Space', 'Play the film, or the flames as its keys', () => page.play()),
     row('timeline', 'Shift+T', 'Timeline: keys, loops, tracks, export',
         () => page.timeline.toggle()),
     row('moves', 'Shift+G', 'Live: numbers by a microphone, MIDI, a gamepad',
         () => page.moves.toggle()),
     row('marker', 'Shift+M', 'A marker of the film at the hand',
         () => page.timeline.markers.add()),
     row('nextMarker', '}', 'To the next marker', () => page.timeline.markers.jump(1)),
     row('lastMarker', '{', 'To the marker before', () => page.timeline.markers.jump(-1)),
     more('Export the film as MP4, GIF, WebP or frames', () => page.exportFilm()),
     more('Make a loop of this flame', () => page.makeLoop()),
     row('wall', 'b', 'All flames as small pictures', () => page.wall.toggle()),
     row('open', 'Ctrl+o', 'Open', () => page.openFiles.open()),
     row('new', 'Shift+N', 'A new random flame', () => page.fresh()),
     row('render', 'Shift+R', 'Render the picture into a file', () => page.openRender()),
     hint('Ctrl+C, Ctrl+V', 'Copies the flame as text; opens what was copied'),
     hint('drop', 'Opens flames and pictures of kiln'),
     row('copySettings', 'Shift+Y', 'Copy settings: look, palette, camera, xforms',
         () => page.settings.copy()),
     row('pasteSettings', 'Shift+V', 'Paste settings', () => page.settings.open()),
     row('save', 's Ctrl+s', 'Save the flame', () => page.save.open('flam3')),
     row('savePicture', 'Shift+S Ctrl+Shift+S', 'Save the picture', () => page.save.open('png')),
     row('closeFlame', 'Shift+X', 'Close the flame', () => page.closing.ask()),
     row('help', '? F1', 'All keys', () => page.help()),
];

const xformCommands = ({editor, tabs, xformPage, clipboard, formula}) => {
  const other = () => (editor.affineName === 'post' ? 'coefs' : 'post');
  const addVariation = () => {
    tabs.show('Xforms');
    xformPage.addVariation();
  };
  return [
    title('Xforms'),
    row('choose', '1 2 3 4 5 6 7 8 9', 'Choose an xform',
        event => editor.choose(Number(event.key) - 1), '1 ... 9'),
    row('final', '0', 'Choose or add the final xform', () => editor.addFinal()),
    row('add', 'n', 'New xform', () => editor.addXform()),
    row('duplicate', 'd', 'A copy of the xform', () => editor.duplicateXform()),
    row('remove', 'Delete', 'Remove the xform', () => editor.removeXform()),
    row('all', 'a', 'Choose all xforms', () => editor.chooseAll()),
    row('earlier', ',', 'A place earlier', () => editor.moveXform(editor.xform, editor.chosen - 1)),
    row('later', '.', 'A place later', () => editor.moveXform(editor.xform, editor.chosen + 1)),
    row('mute', 'h', 'Mute the xform', () => editor.mute()),
    row('solo', 'Shift+H', 'Mute all others', () => editor.solo()),
    row('copyXform', 'y', 'Copy the xform as text', () => clipboard.copy()),
    hint('Ctrl+V', 'Pastes xforms, of another flame too'),
    row('variation', 'v', 'Add a variation', addVariation),
    more('A formula of your own', () => formula.show()),
    row('post', 'p', 'Its affine or its post affine', () => editor.chooseAffine(other())),
  ];
};

const triangleCommands = (page, {triangles, picture} = page) => {
  const nudge = event => {
    const [dx, dy] = arrows[event.key], px = event.altKey ? 1 : nudgePx;
    if (triangles.shown)
      triangles.nudge(dx * px, dy * px);
    else
      pan(picture, event);
  };
  const turn = degrees => triangles.turn('turn', 1, degrees);
  const size = factor => triangles.turn('size', factor, 0);
  return [
    title('Triangle of the xform'),
    row('triangles', 't', 'Show or hide triangles', () => page.toggleTriangles()),
    row('nudge', withArrows('') + ' ' + withArrows('Alt+'), 'Move it (Alt: finely)', nudge,
        'arrows'),
    row('turnLeft', 'q', 'Turn it to the left', () => turn(-5)),
    row('turnRight', 'e', 'Turn it to the right', () => turn(5)),
    row('smaller', '-', 'Make it smaller', () => size(1 / 1.05)),
    row('larger', '+ =', 'Make it larger', () => size(1.05)),
    row('pivot', 'Shift+E', 'Turns about: its O, the middle, a point',
        () => triangles.pivot.next()),
  ];
};

/// The camera follows the arrow: the picture goes the other way.
function pan(picture, event) {
  const [dx, dy] = arrows[event.key];
  picture.moveMiddle('pan', {dx: -dx * panShare, dy: -dy * panShare});
}

const cameraCommands = (page, {picture, framing} = page) =>
    [title('Camera'),
     row('pan', withArrows('Shift+'), 'Move (without triangles: arrows alone)',
         event => pan(picture, event), 'Shift arrows'),
     row('closer', 'i', 'Closer', () => picture.moveMiddle('zoom', {factor: 1.1})),
     row('away', 'o', 'Further away', () => picture.moveMiddle('zoom', {factor: 1 / 1.1})),
     row('rotateLeft', '[', 'Turn to the left', () => picture.moveMiddle('rotate', {degrees: -5})),
     row('rotateRight', ']', 'Turn to the right', () => picture.moveMiddle('rotate', {degrees: 5})),
     row('frameFlame', 'Shift+I', 'Fit the flame to the picture', () => framing.fit()),
     row('reset', 'Shift+O', 'As the flame came; again: the plain camera', () => framing.reset()),
     row('lock', 'Shift+L', 'Lock the camera', () => page.stage.lock()),
     hint('Alt drag', 'Turns the camera in space'),
];

/// How the picture is looked at: no edits.
const stageCommands = (page, {stage} = page) =>
    [title('View'),
     row('whole', 'Home', 'The whole picture', () => stage.whole()),
     row('oneToOne', 'j', 'Pixel by pixel (1:1), and back', () => stage.oneToOne()),
     row('lookCloser', '>', 'Look closer', () => stage.closer(1.25)),
     row('lookAway', '<', 'Look from further away', () => stage.closer(1 / 1.25)),
     hint('Ctrl wheel, Ctrl drag', 'Closer, elsewhere; the middle button too'),
     row('loupe', 'Shift+J', 'A loupe', () => stage.toggleLoupe()),
     row('touch', 'Shift+P', 'Touch the light: which xforms made it; drag recolors, dims, mutes',
         () => page.touch.toggle()),
     row('guides', ';', 'Lines: thirds, golden section, center', () => stage.nextGuides()),
     row('wide', 'w', 'Room around the picture', () => page.toggleWide()),
     row('alone', 'Shift+F', 'The picture alone, full screen', () => stage.alone()),
     row('panel', '\\', 'Show or hide the panel', () => page.layout.toggle()),
     row('noise', '%', 'Where the picture is noisy', () => page.noise.toggle()),
];

const panelCommands = (page, {tabs} = page) =>
    [title('Panel'),
     row('xforms', 'x', 'Xforms', () => tabs.show('Xforms', true)),
     row('palette', 'c', 'Palette', () => tabs.show('Palette', true)),
     row('look', 'l', 'Look', () => tabs.show('Look', true)),
     row('camera', 'f', 'Camera', () => tabs.show('Camera', true)),
     row('flame', 'g', 'The flame and its time', () => tabs.show('Flame', true)),
     row('steps', 'u', 'Steps of undo', () => tabs.show('Steps', true)),
     row('twoPages', '|', 'Two pages beside each other: this one stays', () => page.twoPages()),
     ...roomNames.map(name => more(`Workspace: ${name}`, () => page.rooms.enter(name))),
     row('find', '/', 'Find a command or a field', () => page.find.open()),
     row('stage', 'Escape', 'Back to the picture', () => page.toStage()),
     hint('Tab', 'From field to field'),
     hint('↑ ↓ in a number', 'More or less (Shift: ten times, Alt: a tenth)'),
     title('Mouse and touch'),
     hint('click', 'Chooses the triangle that it is in, again: the next (Shift: with others)'),
     hint('drag', 'The chosen triangle, its corners, its ring; else the camera'),
     hint('Ctrl drag', 'Snaps: the ring to 15 degrees, the rest to a grid'),
     hint('Shift, Alt drag', 'The ring enlarges alone, turns alone; Shift at a corner: enlarges'),
     hint('drag a chip', 'Another place for the xform (Shift click: with others)'),
     hint('wheel, two fingers', 'Closer and further away; fingers turn too'),
     hint('Shift or right drag', 'Turns the camera'),
     hint('drag on a number', 'Scrubs it'),
     hint('double-click on it', 'The default; a dot marks what is not'),
     hint('↑ ↓ in a list', 'Shows the flame with it; Esc takes a variation back'),
     hint('1/3, 2*pi', 'Numbers may be sums; empty: the default'),
     hint('click a heading', 'Folds what is below it'),
     hint('panel\'s edge', 'Drag: more room for it or for the picture'),
];

/// "Ctrl+Shift+Z": what the event is called in the table.
function nameOf(event) {
  const key = event.key === ' ' ? 'Space' : event.key;
  const shift = event.shiftKey &&
      (key.length > 1 || /[a-z]/i.test(key));  // "?" is a key of its own on any keyboard
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${
      shift ? 'Shift+' : ''}${key}`;
}

const typesText = element =>
    element?.matches('input[type=text], input[type=color], select, textarea');

/// Undo is that of the letters where some were typed and not taken yet.
const lettersKeys = ['Ctrl+z', 'Ctrl+y', 'Ctrl+Shift+Z'];
const hasLetters = element => element?.hasAttribute('data-typing');

/// Letters, digits and signs, alone or with Shift: who speaks to the machine, or leans on keys, may
/// switch them off in the help. Kept by the browser.
const isLetter = name => name.replace('Shift+', '').length === 1;
const letters = {
  get on() {
    return localStorage.getItem('letters') !== 'off';
  },
  set on(on) {
    localStorage.setItem('letters', on ? 'on' : 'off');
  }
};

/// Keys that an element in focus has a use of its own for.
const ownKeys = element => (element?.matches('button, summary') ? ['Space', 'Enter'] : []);

export function listenToKeys(commands) {
  const byKey =
      new Map(commands.flatMap(command => (command.keys ?? []).map(key => [key, command])));
  document.addEventListener('keydown', event => {
    const name = nameOf(event), command = byKey.get(name), target = document.activeElement;
    if (!command || document.querySelector('dialog[open]')) return;
    if (typesText(target) && !event.ctrlKey && !event.metaKey && name !== 'Escape' && name !== 'F1')
      return;
    if (ownKeys(target).includes(name) || (isLetter(name) && !letters.on)) return;
    if (hasLetters(target) && lettersKeys.includes(name)) return;
    event.preventDefault();
    command.act(event);
  });
}

/// Buttons of the bar: data-does names the command, data-sign its sign, data-says a word beside it.
export function wireButtons(commands) {
  const byName = new Map(commands.map(command => [command.name, command]));
  for (const button of document.querySelectorAll('[data-does]')) {
    const command = byName.get(button.dataset.does);
    const title = `${command.says} (${keyText(command.keys[0])})`;
    button.type = 'button';
    button.title = title;
    button.setAttribute('aria-label', command.says);
    if (button.dataset.sign) button.prepend(sign(button.dataset.sign));
    if (button.dataset.says) button.append(make('span', {}, button.dataset.says));
    if (button.dataset.roomy)  // where the screen has the room
      button.append(make('span', {class: 'roomy'}, button.dataset.roomy));
    button.addEventListener('click', event => command.act(event));
  }
}

const keyText = key =>
    key.replace(/(^|\+)([a-z])$/, (_, before, letter) => before + letter.toUpperCase())
        .replace('PageUp', 'Page up')
        .replace('PageDown', 'Page down')
        .replace('Escape', 'Esc');

/// What can be done without saying more, for a list of commands: {says, group, shown, act}.
export function listed(commands) {
  const rows = [];
  let group = '';
  for (const command of commands) {
    group = command.group ?? group;
    if (command.act && !command.shown && command.name !== 'find')
      rows.push({
        says: command.says,
        group,
        shown: command.keys.map(keyText),
        act: () => command.act({key: '', shiftKey: false, altKey: false})
      });
  }
  return rows;
}

/// tour(): shows what the page has.
export function showHelp(commands, tour) {
  const dialog = byId('help');
  if (!dialog.childElementCount) {
    const groups = [];
    for (const command of commands) {
      if (command.group)
        groups.push(make('section', {}, make('h3', {}, command.group)));
      else if (command.keys.length || command.shown)
        groups.at(-1).append(helpRow(command));
    }
    dialog.append(
        make(
            'header', {}, make('h2', {id: 'help-title'}, 'Keys'),
            textButton('Close', () => dialog.close(), {class: 'quiet'})),
        make(
            'div', {class: 'row'},
            make(
                'label', {class: 'switch'}, lettersSwitch(),
                'Single letters, digits and signs act'),
            textButton(
                'Tour of 20 s',
                () => {
                  dialog.close();
                  tour();
                })),
        make('div', {class: 'columns'}, ...groups));
  }
  dialog.showModal();
}

function lettersSwitch() {
  const box = make('input', {
    type: 'checkbox',
    id: 'letters',
    change: () => {
      letters.on = box.checked;
    }
  });
  box.checked = letters.on;
  return box;
}

function helpRow({keys, shown, says}) {
  const parts = shown ? [shown] : keys.map(keyText);
  return make(
      'p', {}, make('span', {class: 'keys'}, ...parts.map(part => make('kbd', {}, part))),
      make('span', {}, says));
}
