// From the Lua folder to the TypeScript module that holds its scripts.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

import { root } from '../subpaths.mjs';
import { checkEvents, checkIsUsed, checkLocals, checkScript, ownersOfNames } from './check-script.mjs';
import { namesNeeded } from './link-script.mjs';
import { readSource } from './read-source.mjs';
import { checkIncludes, includesInOrder } from './resolve-includes.mjs';
import { writeModule } from './write-module.mjs';

/** @typedef {import('./read-source.mjs').Source} Source */

export const luaFolder = 'lua';
export const luaModule = 'lib/backends/redis/lua-scripts.ts';

/** Where the names of events are defined. */
const eventModel = 'lib/model/queue-event.ts';

/** Something is wrong with the Lua files; the message has a line for each thing. */
export class LuaProblems extends Error {}

/**
 * Writes the module where it is not what the files make of it.
 *
 * @param {string} [folder] both relative to the root of the repository
 * @param {string} [target]
 */
export function updateLuaModule(folder = luaFolder, target = luaModule) {
  const module = bundle(readLuaFiles(folder));
  const path = join(root, target);
  if (existsSync(path) && readFileSync(path, 'utf8') === module) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, module);
}

/**
 * The text of every Lua file, by its path from the root of the repository.
 *
 * @param {string} folder
 * @returns {Map<string, string>}
 */
export function readLuaFiles(folder = luaFolder) {
  const absolute = join(root, folder);
  const entries = existsSync(absolute)
    ? readdirSync(absolute, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : [];
  const paths = entries.map((entry) => relative(root, join(entry.parentPath, entry.name))).sort();
  const files = paths.filter((path) => path.endsWith('.lua'));
  if (!files.some((path) => path.startsWith(join(folder, 'commands') + sep))) {
    throw new LuaProblems(`There is nothing to bundle: ${folder}/commands has no .lua file.`);
  }
  return new Map(files.map((path) => [path.replaceAll(sep, '/'), readFileSync(join(root, path), 'utf8')]));
}

/**
 * @param {Map<string, string>} files
 * @param {readonly string[]} [eventNames] those of the model
 * @returns {string} the text of the module
 */
export function bundle(files, eventNames = eventNamesOfModel()) {
  /** @type {{ file: string, line: number, message: string }[]} */
  const problems = [];
  const throwProblems = () => {
    if (problems.length === 0) return;
    problems.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
    throw new LuaProblems(
      problems.map(({ file, line, message }) => `${file}:${line}: ${message}`).join('\n'),
    );
  };

  const sources = [...files].map(([file, text]) => {
    /** @type {import('./read-source.mjs').Report} */
    const report = (line, message) => void problems.push({ file, line, message });
    const place = /(?:^|\/)(command|include)s\/([^/].*)\.lua$/.exec(file);
    const kind = place?.[1] === 'command' ? 'command' : 'include';
    const name = place?.[2] ?? '';
    const pattern = kind === 'command' ? /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/ : /^[a-z0-9/-]+$/;
    if (!pattern.test(name)) report(1, 'A Lua file is commands/its-name.lua or includes/some/name.lua.');
    return readSource({ kind, name, text, report });
  });
  // Without the names in a file, every use of one of them would be reported.
  if (sources.includes(undefined)) throwProblems();

  const all = sources.filter((source) => source !== undefined);
  const commands = all.filter(({ kind }) => kind === 'command');
  const includes = new Map(
    all.filter(({ kind }) => kind === 'include').map((source) => [source.name, source]),
  );
  const scripts = commands.map((command) => ({ command, includes: includesInOrder(command, includes) }));
  const owners = ownersOfNames(includes.values());
  checkIncludes(all, includes);
  for (const source of all) checkScript(source, owners);
  for (const script of scripts) {
    checkEvents(script.command, eventNames);
    checkLocals(script.command);
  }
  // A file that does not say what it includes would have everything reported that it leads to.
  throwProblems();
  const used = scripts.flatMap(({ command, includes: own }) => [...namesNeeded(command, own)]);
  checkIsUsed(includes.values(), new Set(used));
  throwProblems();
  return writeModule(scripts);
}

/** @returns {string[]} */
function eventNamesOfModel() {
  const text = readFileSync(join(root, eventModel), 'utf8');
  const list = /\bQUEUE_EVENT_NAMES\b[^=]*=\s*\[([^\]]*)\]/.exec(text)?.[1] ?? '';
  const names = [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  if (names.length === 0) throw new LuaProblems(`${eventModel} has no list QUEUE_EVENT_NAMES.`);
  return names;
}
