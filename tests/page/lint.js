// SPDX-License-Identifier: MIT
// A linter for the page's JavaScript, by Node.js and the parser that lies in it: nothing is installed or downloaded.
//
//   node --expose-internals tests/page/lint.js [FOLDER...]     default: those of the page and of reports
//   node --expose-internals tests/page/lint.js --itself        whether it finds what it shall find
//
// Exits with 1 where it finds something, and with 77 where this Node.js has no parser for it. Which imports meet which
// exports is modules_test.py's to say, which needs no Node.js; the names that browsers have stand there, too.
'use strict';

const fs = require('fs');
const path = require('path');

const known = new Set(/KNOWN = set\("""([^"]*)"""/
                          .exec(fs.readFileSync(path.join(__dirname, 'modules_test.py'), 'utf8'))[1]
                          .trim()
                          .split(/\s+/));
for (const name
         of ['arguments', 'devicePixelRatio', 'importScripts', 'onmessage', 'Option', 'postMessage',
             'self', 'Uint8ClampedArray', 'Worker', 'caches', 'clients', 'history', 'Response',
             'skipWaiting', 'decodeURIComponent', 'registration', 'Uint32Array'])
  known.add(name);  // of reports, and of the page that renders by itself with its workers

function parser() {
  try {
    return require('internal/deps/acorn/acorn/dist/acorn');
  } catch {
    console.log('skipped: this Node.js has no parser to lend (--expose-internals)');
    return process.exit(77);
  }
}
const acorn = parser();

const isNode = value => value && typeof value.type === 'string';
const children = node => Object.values(node).flat().filter(isNode);

/// The names that a pattern declares or assigns to.
function namesOf(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern];
    case 'ObjectPattern':
      return pattern.properties.flatMap(
          p => namesOf(p.type === 'RestElement' ? p.argument : p.value));
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesOf);
    case 'AssignmentPattern':
      return namesOf(pattern.left);
    case 'RestElement':
      return namesOf(pattern.argument);
    default:
      return [];
  }
}

/// The expressions within a pattern: defaults, computed keys, members that are assigned to.
function expressionsOf(pattern) {
  switch (pattern?.type) {
    case 'ObjectPattern':
      return pattern.properties.flatMap(
          p => p.type === 'RestElement' ?
              expressionsOf(p.argument) :
              [...(p.computed ? [p.key] : []), ...expressionsOf(p.value)]);
    case 'ArrayPattern':
      return pattern.elements.flatMap(expressionsOf);
    case 'AssignmentPattern':
      return [...expressionsOf(pattern.left), pattern.right];
    case 'RestElement':
      return expressionsOf(pattern.argument);
    case 'MemberExpression':
      return [pattern];
    default:
      return [];
  }
}

const jumps = new Set(['ReturnStatement', 'ThrowStatement', 'BreakStatement', 'ContinueStatement']);
const acts = new Set([
  'AssignmentExpression', 'AwaitExpression', 'CallExpression', 'ImportExpression', 'NewExpression',
  'TaggedTemplateExpression', 'UpdateExpression', 'YieldExpression'
]);
function doesSomething(node) {
  if (node.type === 'ChainExpression' || node.type === 'UnaryExpression')
    return node.operator === 'delete' || node.operator === 'void' ||
        doesSomething(node.expression ?? node.argument);
  if (node.type === 'LogicalExpression') return doesSomething(node.right);
  if (node.type === 'ConditionalExpression')
    return doesSomething(node.consequent) && doesSomething(node.alternate);
  if (node.type === 'SequenceExpression') return node.expressions.every(doesSomething);
  return acts.has(node.type);
}
/// Whether what follows a statement is never reached.
function ends(node) {
  if (!node) return false;
  if (node.type === 'BlockStatement') return ends(node.body.at(-1));
  if (node.type === 'IfStatement') return ends(node.consequent) && ends(node.alternate);
  return jumps.has(node.type);
}

/// The findings in a text, a line each.
function lint(text, file, isModule = true) {
  const found = [];
  const say = (node, words) => found.push({line: node.loc.start.line, words});
  let tree;
  try {
    tree = acorn.parse(
        text, {ecmaVersion: 'latest', sourceType: isModule ? 'module' : 'script', locations: true});
  } catch (error) {
    return [`${file}:${error.loc?.line ?? 1}: ${error.message}`];
  }
  const scopes = [], uses = [];

  const open = parent => {
    const scope = {parent, names: new Map()};
    scopes.push(scope);
    return scope;
  };
  const declare = (scope, pattern, kind, more = {}) => {
    for (const id of namesOf(pattern)) {
      if (scope.names.has(id.name)) say(id, `${id.name} is declared twice`);
      scope.names.set(id.name, {id, kind, reads: 0, writes: 0, ...more});
    }
  };
  const read = (id, scope) => uses.push({id, scope, reads: true});
  const write = (id, scope, reads = false) => uses.push({id, scope, reads, writes: true});

  /// Declares what the statements of a block declare, before any of them is looked at.
  const hoist = (statements, scope) => {
    for (const statement of statements) {
      const exported = statement.type.startsWith('Export');
      const own = exported && statement.declaration ? statement.declaration : statement;
      if (own.type === 'VariableDeclaration')
        for (const declarator of own.declarations)
          declare(scope, declarator.id, own.kind, {
            exported,
            group: namesOf(declarator.id).map(id => id.name),
            begins: Boolean(declarator.init),
            rests: declarator.id.type === 'ObjectPattern' &&
                declarator.id.properties.some(p => p.type === 'RestElement')
          });
      else if ((own.type === 'FunctionDeclaration' || own.type === 'ClassDeclaration') && own.id)
        declare(scope, own.id, own.type === 'ClassDeclaration' ? 'class' : 'function', {exported});
      else if (own.type === 'ImportDeclaration')
        for (const one of own.specifiers) declare(scope, one.local, 'import');
    }
  };
  const block = (statements, scope) => {
    hoist(statements, scope);
    statements.forEach((statement, i) => {
      if (i > 0 && ends(statements[i - 1]) && statement.type !== 'FunctionDeclaration')
        say(statement, 'is never reached');
      visit(statement, scope);
    });
  };
  const each = (nodes, scope) => nodes.forEach(node => visit(node, scope));

  function visitFunction(node, scope) {
    const inner = open(scope);
    if (node.type === 'FunctionExpression' && node.id) declare(inner, node.id, 'own');
    node.params.forEach(
        (param, position) => declare(inner, param, 'parameter', {position, takes: node.params}));
    for (const param of node.params) each(expressionsOf(param), inner);
    if (node.body.type === 'BlockStatement')
      block(node.body.body, open(inner));
    else
      visit(node.body, inner);
  }
  function visitLoop(node, scope) {
    const inner = open(scope);
    if (node.left.type === 'VariableDeclaration') {
      const [declarator] = node.left.declarations;
      declare(
          inner, declarator.id, node.left.kind,
          {group: namesOf(declarator.id).map(id => id.name), begins: true});
      each(expressionsOf(declarator.id), inner);
    } else {
      for (const id of namesOf(node.left)) write(id, scope);
      each(expressionsOf(node.left), scope);
    }
    visit(node.right, scope);
    visit(node.body, inner);
  }

  const handlers = {
    Identifier: read,
    ImportDeclaration() {},
    ExportNamedDeclaration(node, scope) {
      if (node.declaration) visit(node.declaration, scope);
      if (!node.source)
        for (const one of node.specifiers) read(one.local, scope);
    },
    BlockStatement(node, scope) {
      if (node.body.length === 0 && !text.slice(node.start, node.end).includes('//'))
        say(node, 'a block without a statement or a reason');
      block(node.body, open(scope));
    },
    StaticBlock: (node, scope) => block(node.body, open(scope)),
    FunctionDeclaration: visitFunction,
    FunctionExpression: visitFunction,
    ArrowFunctionExpression: visitFunction,
    VariableDeclaration(node, scope) {
      if (node.kind === 'var') say(node, 'var: let or const');
      for (const declarator of node.declarations) {
        each(expressionsOf(declarator.id), scope);
        if (declarator.init) visit(declarator.init, scope);
      }
    },
    ForStatement(node, scope) {
      const inner = open(scope);
      if (node.init) hoist([node.init], inner);
      each([node.init, node.test, node.update, node.body].filter(Boolean), inner);
    },
    ForInStatement: visitLoop,
    ForOfStatement: visitLoop,
    CatchClause(node, scope) {
      const inner = open(scope);
      if (node.param) declare(inner, node.param, 'caught');
      visit(node.body, inner);
    },
    MemberExpression(node, scope) {
      visit(node.object, scope);
      if (node.computed) visit(node.property, scope);
    },
    ObjectExpression(node, scope) {
      const keys = new Set();
      for (const one of node.properties) {
        if (one.type === 'Property' && !one.computed && one.kind === 'init') {
          const key = String(one.key.name ?? one.key.value);
          if (keys.has(key)) say(one, `the key ${key} stands twice`);
          keys.add(key);
        }
        visit(one, scope);
      }
    },
    Property(node, scope) {
      if (node.computed) visit(node.key, scope);
      visit(node.value, scope);
    },
    MethodDefinition: (node, scope) => handlers.Property(node, scope),
    PropertyDefinition(node, scope) {
      if (node.computed) visit(node.key, scope);
      if (node.value) visit(node.value, scope);
    },
    ClassExpression(node, scope) {
      const inner = open(scope);
      if (node.id) declare(inner, node.id, 'own');
      each([node.superClass, node.body].filter(Boolean), inner);
    },
    ClassDeclaration: (node, scope) => each([node.superClass, node.body].filter(Boolean), scope),
    LabeledStatement: (node, scope) => visit(node.body, scope),
    BreakStatement() {},
    ContinueStatement() {},
    MetaProperty() {},
    AssignmentExpression(node, scope) {
      for (const id of namesOf(node.left)) write(id, scope, node.operator !== '=');
      each(expressionsOf(node.left), scope);
      visit(node.right, scope);
      if (node.operator === '=' &&
          text.slice(node.left.start, node.left.end) ===
              text.slice(node.right.start, node.right.end))
        say(node, 'is assigned to itself');
    },
    UpdateExpression(node, scope) {
      if (node.argument.type === 'Identifier')
        write(node.argument, scope, true);
      else
        visit(node.argument, scope);
    },
    BinaryExpression(node, scope) {
      const isNull = side => side.type === 'Literal' && side.raw === 'null';
      if (/^[!=]=$/.test(node.operator) && !isNull(node.left) && !isNull(node.right))
        say(node, `${node.operator}: ${node.operator}=`);
      const isComparison = /^([!=]==?|<=?|>=?)$/.test(node.operator);
      if (isComparison &&
          text.slice(node.left.start, node.left.end) ===
              text.slice(node.right.start, node.right.end))
        say(node, 'is compared with itself');
      each(children(node), scope);
    },
    SwitchStatement(node, scope) {
      visit(node.discriminant, scope);
      const inner = open(scope);
      hoist(node.cases.flatMap(one => one.consequent), inner);
      node.cases.forEach((one, i) => {
        const last = one.consequent.at(-1);
        if (last && i + 1 < node.cases.length && !ends(last))
          say(last, 'falls through to the next case');
        each([one.test, ...one.consequent].filter(Boolean), inner);
      });
    },
    ExpressionStatement(node, scope) {
      if (!node.directive && !doesSomething(node.expression))
        say(node, 'an expression that does nothing');
      visit(node.expression, scope);
    },
    DebuggerStatement: node => say(node, 'debugger'),
  };
  for (const type of ['IfStatement', 'WhileStatement', 'DoWhileStatement', 'ConditionalExpression'])
    handlers[type] = (node, scope) => {
      if (node.test.type === 'AssignmentExpression') say(node.test, 'an assignment as a condition');
      each(children(node), scope);
    };
  function visit(node, scope) {
    (handlers[node.type] ?? ((other, within) => each(children(other), within)))(node, scope);
  }
  block(tree.body, open(null));

  for (const use of uses) {
    let scope = use.scope;
    while (scope && !scope.names.has(use.id.name)) scope = scope.parent;
    const name = scope?.names.get(use.id.name);
    if (!name) {
      if (!known.has(use.id.name)) say(use.id, `${use.id.name} is declared nowhere`);
      continue;
    }
    name.reads += use.reads ? 1 : 0;
    name.writes += use.writes ? 1 : 0;
    if (use.writes && ['const', 'import', 'class', 'function'].includes(name.kind))
      say(use.id, `${use.id.name} is no variable`);
  }
  for (const scope of scopes)
    for (const [word, name] of scope.names) {
      const isLastUsed = () =>
          name.takes.slice(name.position + 1)
              .some(p => namesOf(p).some(id => scope.names.get(id.name).reads > 0));
      const isLeft = name.exported || name.kind === 'own' || name.rests ||
          (name.kind === 'parameter' && isLastUsed());
      if (name.reads === 0 && !isLeft) say(name.id, `${word} is not used`);
      const group = name.group ?? [word];
      if (name.kind === 'let' && name.begins &&
          group.every(one => scope.names.get(one).writes === 0))
        say(name.id, `${word} never changes: const`);
    }
  return found.sort((a, b) => a.line - b.line).map(({line, words}) => `${file}:${line}: ${words}`);
}

/// Texts, and what is to be said of each; nothing where it is right.
const samples = [
  ['const a = 1;', 'a is not used'],
  ['export const a = b;', 'b is declared nowhere'],
  ['{ const b = 1; f(b); } export const f = () => b;', 'b is declared nowhere'],
  ['let a = 1; export const b = () => a;', 'a never changes'],
  ['let a = 1; export const b = () => a++;', ''],
  ['let [a, b] = [1, 2]; export const c = () => (a += b);', ''],
  ['const a = 1; export const b = () => { a = 2; return a; };', 'a is no variable'],
  ['export const f = (a, b) => a;', 'b is not used'],
  ['export const f = (a, b) => b;', ''],
  ['export const f = ({ a, ...rest }) => rest;', 'a is not used'],
  ['const { a, ...rest } = document; export { rest };', ''],
  ['export const f = a => a == 1;', '=='],
  ['export const f = a => a == null;', ''],
  ['export const f = a => a === a;', 'compared with itself'],
  ['export function f(a) { a = a; return a; }', 'assigned to itself'],
  ['export function f(a) { return a; a(); }', 'never reached'],
  ['export function f(a) { if (a = 1) return a; return 2; }', 'as a condition'],
  ['export function f(a) { switch (a) { case 1: a(); case 2: a(2); } }', 'falls through'],
  ['export function f(a) { switch (a) { case 1: case 2: return 1; default: return a; } }', ''],
  ['export const a = { b: 1, c: 2, b: 3 };', 'b stands twice'],
  ['export const f = a => { try { a(); } catch (e) { } };', 'without a statement', 'e is not used'],
  ['export const f = a => { try { a(); } catch { // it is gone\n} };', ''],
  ['export const f = a => { a.b; };', 'does nothing'],
  ['export const f = a => { a && a(); a?.b(); };', ''],
  ['export const f = () => { debugger; };', 'debugger'],
  ['var a = 1; export { a };', 'var'],
  ['export const f = () => 1', ''],
  ['export const f = ( => 1', 'Unexpected token'],
  ['for (const a of document) a(); for (let i = 0; i < 3; ++i) fetch(i);', ''],
  ['for (let a of document) a();', 'a never changes'],
  ['export class A { static b = 1; c() { return A.b; } }', ''],
  ['export const f = async ({ a = 1 }) => { for await (const b of a) b(); };', ''],
];

function isItself() {
  let wrong = 0;
  for (const [text, ...wanted] of samples) {
    const said = lint(text, 'sample');
    const isRight = wanted[0] === '' ?
        said.length === 0 :
        wanted.every(words => said.some(line => line.includes(words)));
    if (isRight) continue;
    ++wrong;
    console.log(`${text}\n  said: ${said.join('; ') || 'nothing'}\n  wanted: ${
        wanted.join('; ') || 'nothing'}`);
  }
  console.log(`${samples.length} samples, ${wrong} wrong`);
  return wrong > 0;
}

function filesBelow(folder) {
  return fs.readdirSync(folder, {withFileTypes: true}).flatMap(entry => {
    const inside = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(inside) : entry.name.endsWith('.js') ? [inside] : [];
  });
}

function main(words) {
  if (words[0] === '--itself') return isItself();
  const root = path.join(__dirname, '../..');
  const own = ['view/page', 'view/web/page', 'cli/report'];
  const folders = words.length > 0 ? words : own.map(folder => path.join(root, folder));
  const files = folders.flatMap(filesBelow);
  // what imports nothing and exports nothing is a script of its own: a worker's
  const all = files.flatMap(file => {
    const text = fs.readFileSync(file, 'utf8');
    return lint(text, path.relative(process.cwd(), file), /^(import|export)\b/m.test(text));
  });
  for (const line of all) console.log(line);
  console.log(`${files.length} files, ${all.length} findings`);
  return all.length > 0 || files.length === 0;
}

process.exitCode = main(process.argv.slice(2)) ? 1 : 0;
