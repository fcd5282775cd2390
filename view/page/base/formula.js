// SPDX-License-Identifier: MIT
// Formulas that a flame brings along (docs/use/formulas.md): its <variation> elements as texts of fields, and
// back. Whether a text is a formula says the program, which reads it as a file's.

export const forms = ['', 'pre_', 'post_'];
export const partNames = ['let', 'x', 'y', 'z', 'color'];
const numberNames = ['default', 'from', 'to'];

const formulasOf =
    flame => [...flame.element.children].filter(child => child.localName === 'variation');

const formulaNamed = (flame, name) =>
    formulasOf(flame).find(element => element.getAttribute('name') === name);

/// {name, let, x, y, z, color, parameters: [{name, default, from, to}]}, all of them texts; empty: left out.
function fieldsOf(element) {
  const texts = (of, names) =>
      Object.fromEntries(names.map(name => [name, of.getAttribute(name) ?? '']));
  return {
    ...texts(element, ['name', ...partNames]),
    parameters: [...element.children].map(child => texts(child, ['name', ...numberNames]))
  };
}

/// Of all formulas of a flame.
export const allFields = flame => formulasOf(flame).map(fieldsOf);

export function fieldsNamed(flame, name) {
  const element = formulaNamed(flame, name);
  return element && fieldsOf(element);
}

/// The fields of a text that is one <variation>.
export const fieldsOfText = text =>
    fieldsOf(new DOMParser().parseFromString(text, 'application/xml').documentElement);

const numberOf = (text, otherwise) => (text.trim() === '' ? otherwise : Number(text));

/// The numbers of a parameter, as the reader takes what is left out.
export function numbersOf({default: usual, from, to}) {
  const low = numberOf(from, -1), high = numberOf(to, 1);
  return {usual: numberOf(usual, Math.min(high, Math.max(low, 0))), low, high};
}

/// Whether both mean the same.
export function isSame(a, b) {
  const plain = fields => JSON.stringify([
    ...['name', ...partNames].map(name => fields[name].replace(/[\n\r\t]/g, ' ').trim()),
    ...fields.parameters.map(one => [one.name, ...Object.values(numbersOf(one))])
  ]);
  return plain(a) === plain(b);
}

/// The xforms that use a formula in any form.
export const usersOf = (flame, name) =>
    flame.all.filter(xform => forms.some(form => xform.hasAttribute(form + name)));

/// Other names for attributes, in their order; null: it goes.
function renameAttributes(element, renamed) {
  const attributes = [...element.attributes].map(({name, value}) => [name, value]);
  if (!attributes.some(([name]) => renamed.has(name))) return;
  for (const [name] of attributes) element.removeAttribute(name);
  for (const [name, value] of attributes) {
    const now = renamed.has(name) ? renamed.get(name) : name;
    if (now !== null) element.setAttribute(now, value);
  }
}

/// In xforms, their motions, tracks and links. `renamed`: names of attributes and what they become.
function follow(flame, renamed) {
  for (const xform of flame.all)
    for (const element of [xform, ...xform.querySelectorAll('*')])
      renameAttributes(element, renamed);
  for (const track of flame.element.querySelectorAll('kiln_track')) {
    const now = renamed.get(track.getAttribute('name'));
    if (now === null) track.remove();
    if (now) track.setAttribute('name', now);
  }
  flame.renameLinked(name => (renamed.has(name) ? renamed.get(name) : name));
}

/// What the attributes of a formula become: weights and parameters; `now`: the new names of a parameter by the old ones.
function renamings(name, parameters, to, now) {
  const renamed = new Map();
  for (const form of forms) {
    if (to !== name) renamed.set(form + name, to && form + to);
    for (const parameter of parameters) {
      const other = to === null ? undefined : now.get(parameter.name);
      const old = `${form}${name}_${parameter.name}`;
      const next = other === undefined ? null : `${form}${to}_${other}`;
      if (next !== old) renamed.set(old, next);
    }
  }
  return renamed;
}

/// The formula `was` becomes this one, and what xforms say of it follows; empty: it is a new one. A parameter that had
/// another name has it as its `was`.
export function putFormula(flame, was, fields) {
  let element = was && formulaNamed(flame, was);
  if (element) {
    const now = new Map(
        fields.parameters.filter(one => one.was !== undefined).map(one => [one.was, one.name]));
    follow(flame, renamings(was, fieldsOf(element).parameters, fields.name, now));
  } else {
    element = flame.make('variation', {});
    if (flame.all[0])
      flame.all[0].before(element);
    else
      flame.element.prepend(element);
  }
  const say = (to, name, text) =>
      text.trim() === '' ? to.removeAttribute(name) : to.setAttribute(name, text.trim());
  element.setAttribute('name', fields.name);
  for (const name of partNames) say(element, name, fields[name]);
  element.replaceChildren(...fields.parameters.map(one => {
    const parameter = flame.make('parameter', {name: one.name});
    for (const name of numberNames) say(parameter, name, one[name]);
    return parameter;
  }));
}

/// With all that xforms say of it.
export function removeFormula(flame, name) {
  const element = formulaNamed(flame, name);
  if (!element) return;
  follow(flame, renamings(name, fieldsOf(element).parameters, null));
  element.remove();
}

/// `name`, or one with a number behind it that no formula of the flame has.
export function freeName(flame, name) {
  let free = name;
  for (let n = 2; formulaNamed(flame, free); ++n) free = `${name}_${n}`;
  return free;
}
