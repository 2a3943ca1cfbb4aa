// One script out of a command and its includes.
//
// The server runs a script from its first line with every call, so what stands at the top costs time each time. Were the
// functions of the includes locals, as in their files, each would capture others, and Lua searches a list of all captured
// locals for every one of them: with a hundred functions that took longer than a call's work. So they are fields of one
// table, only those that are used are written, and constants are written where they are used. Functions that are marked
// as rare, each or with their file, and what nothing else needs, are made when the first one of their file is looked up.

import luaparse from 'luaparse';

import { scopesOf } from './scopes.mjs';

/** @typedef {import('./read-source.mjs').Source} Source */
/** @typedef {import('luaparse').Node} Node */

/**
 * A top-level name of an include.
 *
 * @typedef {object} Declaration
 * @property {string} name
 * @property {Source} source
 * @property {[number, number]} range of what becomes the field's value, or is written in place of the name
 * @property {boolean} isFunction
 * @property {boolean} isLiteral
 * @property {boolean} isRare
 */

const endOfFile = 1;

/** Name of the table; no file has a reason to use it. */
const table = '_f';

/**
 * @param {Source} command
 * @param {Source[]} includes in order
 */
export function linkScript(command, includes) {
  const declarations = new Map(includes.flatMap(declarationsOf).map((each) => [each.name, each]));
  const used = namesUsed(command, declarations);
  const fields = [...declarations.values()].filter(({ name, isLiteral }) => used.has(name) && !isLiteral);
  const often = namesUsed(command, declarations, ({ isRare }) => isRare);
  const rare = fields.filter(({ name, isRare }) => isRare || !often.has(name));
  /** @param {Declaration} declaration */
  const assignment = ({ name, source, range }) => `${name} = ${write(source, range, declarations)}`;
  return [
    `local ${table}`,
    `${table} = {`,
    'call = redis.call,',
    ...fields.filter((each) => !rare.includes(each)).map((each) => `${assignment(each)},`),
    '}',
    ...(rare.length === 0
      ? []
      : [
          `setmetatable(${table}, { __index = function(_, name)`,
          ...[...groupBySource(rare)].flatMap((group, index) => [
            `${index === 0 ? 'if' : 'elseif'} ${group.map(({ name }) => `name == '${name}'`).join(' or ')} then`,
            ...group.map((each) => `${table}.${assignment(each)}`),
          ]),
          'end',
          `return rawget(${table}, name)`,
          'end })',
        ]),
    `${write(command, [0, command.text.length], declarations)}`,
    '',
  ].join('\n');
}

/** @param {Declaration[]} declarations */
function groupBySource(declarations) {
  /** @type {Map<Source, Declaration[]>} */
  const groups = new Map();
  for (const each of declarations) groups.set(each.source, [...(groups.get(each.source) ?? []), each]);
  return groups.values();
}

/**
 * @param {Source} source
 * @returns {Declaration[]}
 */
function declarationsOf(source) {
  /** @type {Declaration[]} */
  const declarations = [];
  for (const statement of source.chunk.body) {
    if (statement.type === 'FunctionDeclaration' && statement.identifier?.type === 'Identifier') {
      const { name } = statement.identifier;
      // From the parameters on: a field's value is a function without a name.
      const range = /** @type {[number, number]} */ ([
        rangeOf(statement.identifier)[1],
        rangeOf(statement)[1],
      ]);
      const isRare = source.head.isRare || isMarkedRare(source.text.slice(0, rangeOf(statement)[0]));
      declarations.push({ name, source, range, isFunction: true, isLiteral: false, isRare });
    } else if (statement.type === 'LocalStatement') {
      statement.init.forEach((value, index) => {
        const name = statement.variables[index]?.name ?? '';
        const isLiteral = isLiteralValue(value);
        const { isRare } = source.head;
        declarations.push({ name, source, range: rangeOf(value), isFunction: false, isLiteral, isRare });
      });
    }
  }
  return declarations;
}

/**
 * Whether a function is marked as rare: by a line of its own in the comment right above it.
 *
 * @param {string} before the text of its file above it
 */
function isMarkedRare(before) {
  return /^-- @rare\n(?:--.*\n)*(?![^])/m.test(before);
}

/** @param {Node} value */
function isLiteralValue(value) {
  const inner = value.type === 'UnaryExpression' && value.operator === '-' ? value.argument : value;
  return ['NumericLiteral', 'StringLiteral', 'BooleanLiteral'].includes(inner.type);
}

/**
 * The top-level names of includes that a command needs, by itself or by way of others.
 *
 * @param {Source} command
 * @param {Source[]} includes in order
 * @returns {Set<string>}
 */
export function namesNeeded(command, includes) {
  return namesUsed(command, new Map(includes.flatMap(declarationsOf).map((each) => [each.name, each])));
}

/**
 * Everything that a command needs of the includes, by itself or by way of others.
 *
 * @param {Source} command
 * @param {Map<string, Declaration>} declarations
 * @param {(declaration: Declaration) => boolean} endsAt whether what a declaration needs is left out
 */
function namesUsed(command, declarations, endsAt = () => false) {
  /** @type {Set<string>} */
  const used = new Set();
  /**
   * @param {Source} source
   * @param {[number, number]} range
   */
  const follow = (source, [start, end]) => {
    for (const { name, at } of referencesIn(source, declarations)) {
      const declaration = declarations.get(name);
      if (!declaration || at < start || at >= end || used.has(name)) continue;
      used.add(name);
      if (!endsAt(declaration)) follow(declaration.source, declaration.range);
    }
  };
  follow(command, [0, command.text.length]);
  return used;
}

/**
 * Where a file names something of an include, its own declarations too.
 *
 * @param {Source} source
 * @param {Map<string, Declaration>} declarations
 */
function referencesIn(source, declarations) {
  const { references, outside, top } = scopesOf(source.chunk, declarations.keys());
  const shared = new Set([...outside.values(), ...(source.kind === 'include' ? top : [])]);
  return references
    .filter(({ variable }) => variable && shared.has(variable))
    .map(({ node }) => ({ name: node.name, at: rangeOf(node)[0] }));
}

/**
 * The text of a part of a file, without comments and blank lines, and with names led to where they are now. It goes by
 * tokens, so a string may hold what looks like a comment or a name.
 *
 * @param {Source} source
 * @param {[number, number]} range
 * @param {Map<string, Declaration>} declarations
 * @returns {string}
 */
function write(source, [start, end], declarations) {
  const { text } = source;
  const references = new Map(referencesIn(source, declarations).map(({ at, name }) => [at, name]));
  const tokens = tokensOf(text).filter(({ range }) => range[0] >= start && range[1] <= end);
  const isFunction = [...declarations.values()].some(
    (each) => each.isFunction && each.source === source && each.range[0] === start,
  );
  let result = isFunction ? 'function' : '';
  let written = tokens[0]?.range[0] ?? start;
  for (let at = 0; at < tokens.length; at += 1) {
    const first = tokens[at]?.range[0] ?? 0;
    const isCall = ['redis', '.', 'call'].every((value, index) => tokens[at + index]?.value === value);
    if (isCall) at += 2;
    const next = tokens[at]?.range[1] ?? 0;
    const declaration = declarations.get(references.get(first) ?? '');
    result += shorten(text.slice(written, first));
    if (isCall) result += `${table}.call`;
    else if (declaration?.isLiteral) result += declaration.source.text.slice(...declaration.range);
    else if (declaration) result += `${table}.${declaration.name}`;
    else result += text.slice(first, next);
    written = next;
  }
  return result;
}

/** @param {Node} node */
function rangeOf(node) {
  const { range } = /** @type {{ range?: [number, number] }} */ (node);
  if (!range) throw new Error(`A ${node.type} has no place in its file.`);
  return range;
}

/** @param {string} text */
function tokensOf(text) {
  const lexer = luaparse.parse({ wait: true, luaVersion: '5.1' });
  lexer.write(text);
  /** @type {{ type: number, value: unknown, range: [number, number] }[]} */
  const tokens = [];
  for (let token = lexer.lex(); token.type !== endOfFile; token = lexer.lex()) tokens.push(token);
  return tokens;
}

/** @param {string} gap white space and comments between two tokens */
function shorten(gap) {
  const lastLine = gap.lastIndexOf('\n') + 1;
  const indent = /^[ \t]*/.exec(gap.slice(lastLine))?.[0] ?? '';
  if (lastLine > 0) return `\n${indent}`;
  return gap.trim() === '' ? gap : ' ';
}
