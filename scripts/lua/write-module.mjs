// The TypeScript module of the scripts.

import { createHash } from 'node:crypto';

import { packageName } from '../subpaths.mjs';
import { linkScript } from './link-script.mjs';

/** @typedef {import('./read-source.mjs').Source} Source */

/**
 * @typedef {object} Script
 * @property {Source} command
 * @property {Source[]} includes in the order in which they are written in front of it
 */

const header = `// Generated from lua/ by scripts/bundle-lua.mjs. Do not edit: change the Lua files, and run "npm run bundle:lua".

/** A Lua script, and how its arguments are written. */
export interface LuaScript<Head, Item = never> {
  readonly name: string;
  readonly text: string;
  /** By which the server knows the text. */
  readonly sha1: string;
  /** ARGV. */
  encode(head: Head, items?: readonly Item[]): (string | number)[];
}
`;

/** @param {Script[]} scripts */
export function writeModule(scripts) {
  const names = scripts.map(({ command }) => constantOf(command.name)).join(', ');
  return `${header}${scripts.map(writeScript).join('')}
export const LUA_SCRIPTS = [${names}] as const;
`;
}

/**
 * What the server is given.
 *
 * @param {Script} script
 */
export function textOf({ command, includes }) {
  return `-- ${packageName}: ${command.name}\n${linkScript(command, includes)}`;
}

/** @param {Script} script */
function writeScript(script) {
  const { name, head } = script.command;
  const text = textOf(script);
  const type = typeOf(name);
  const hasItems = head.each.length > 0;
  const types = hasItems ? `${type}Head, ${type}Item` : `${type}Head`;
  const item = hasItems ? `\n${writeInterface(`One item of ${name}.`, `${type}Item`, head.each)}` : '';
  return `
${writeInterface(head.text.join('\n'), `${type}Head`, head.args)}${item}
${comment(documentation(head))}
export const ${constantOf(name)}: LuaScript<${types}> = {
  name: '${name}',
  text: ${JSON.stringify(text)},
  sha1: '${createHash('sha1').update(text).digest('hex')}',
${hasItems ? encodeWithItems(head) : encodeHead(head)}
};
`;
}

/**
 * @param {string} text
 * @param {string} name
 * @param {string[]} fields
 */
function writeInterface(text, name, fields) {
  return `${comment(text)}
export interface ${name} {
${fields.map((field) => `  ${field}: string | number;\n`).join('')}}
`;
}

/** @param {import('./parse-head.mjs').Head} head */
function encodeHead({ args }) {
  return `  encode(head) {
    return [${args.map((name) => `head.${name}`).join(', ')}];
  },`;
}

/** @param {import('./parse-head.mjs').Head} head */
function encodeWithItems({ args, each }) {
  return `  encode(head, items = []) {
    const args = [${args.map((name) => `head.${name}`).join(', ')}];
    for (const item of items) args.push(${each.map((name) => `item.${name}`).join(', ')});
    return args;
  },`;
}

/** @param {import('./parse-head.mjs').Head} head */
function documentation({ text, result, refusals, events, bound }) {
  return [
    ...text,
    '',
    `Reply: ${result.join('\n')}`,
    `Refusals: ${refusals.join(', ') || 'none'}`,
    `Events: ${events.join(', ') || 'none'}`,
    `Bound: ${bound.join('\n')}`,
  ].join('\n');
}

/** @param {string} text */
function comment(text) {
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  return ['/**', ...lines.map((line) => ` * ${line}`.trimEnd()), ' */'].join('\n');
}

/** @param {string} name such as `add-jobs` */
function constantOf(name) {
  return name.toUpperCase().replaceAll('-', '_');
}

/** @param {string} name such as `add-jobs` */
function typeOf(name) {
  return name.replace(/(?:^|-)(.)/g, (_, letter) => String(letter).toUpperCase());
}
