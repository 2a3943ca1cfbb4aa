// Runs modules, one after the other, and writes a file with what each has printed: to the console, or into Nest's log as
// a warning or worse. What it throws counts as printed too.
//
// node run-modules.mjs <file to write> <module> …

import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

import { Logger } from '@nestjs/common';

/** Milliseconds that a module has to end. */
const longest = 10_000;

const [result = '', ...files] = process.argv.slice(2);

/** @type {Record<string, string[]>} by the paths of the modules */
const printed = {};
/** @type {string[]} */
let lines = [];

const print = (/** @type {unknown[]} */ ...values) => void lines.push(...format(...values).split('\n'));
const report = (/** @type {unknown} */ error) => print(`thrown: ${String(error)}`);

Object.assign(console, { log: print, info: print, warn: print, error: print });
process.on('unhandledRejection', report).on('uncaughtException', report);
// Also when a module ends the process: those after it are missing then.
process.on('exit', () => writeFileSync(result, JSON.stringify(printed)));
// As in an application that has called `enableShutdownHooks`: most modules have no need to show it.
process.on('SIGTERM', () => {});

for (const file of files) {
  lines = printed[file] = [];
  // Each time, since a testing module brings a logger of its own.
  Logger.overrideLogger({ log: () => {}, warn: print, error: print, fatal: print });
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const tooLong = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`had not ended after ${longest} ms`)), longest);
  });
  await Promise.race([import(pathToFileURL(file).href), tooLong]).catch(report);
  clearTimeout(timer);
}

process.exit();
