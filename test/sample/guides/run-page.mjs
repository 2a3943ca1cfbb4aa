// Runs the modules of one page, one after the other, and writes as JSON what each has printed: to the console, or
// into Nest's log as a warning or worse. What it throws counts as printed too.

import { writeSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

import { Logger } from '@nestjs/common';

/** Milliseconds that a module has to end. */
const longest = 10_000;

/** @type {Record<string, string[]>} */
const printed = {};
/** @type {string[]} */
let lines = [];

const print = (/** @type {unknown[]} */ ...values) => void lines.push(...format(...values).split('\n'));
const report = (/** @type {unknown} */ error) => print(`thrown: ${String(error)}`);

Object.assign(console, { log: print, info: print, warn: print, error: print });
Logger.overrideLogger({ log: () => {}, warn: print, error: print, fatal: print });
process.on('unhandledRejection', report).on('uncaughtException', report);
// As in an application that has called `enableShutdownHooks`: most modules have no need to show it.
process.on('SIGTERM', () => {});

for (const file of process.argv.slice(2)) {
  lines = printed[basename(file, '.mjs')] = [];
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const tooLong = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`had not ended after ${longest} ms`)), longest);
  });
  await Promise.race([import(pathToFileURL(file).href), tooLong]).catch(report);
  clearTimeout(timer);
}

writeSync(1, JSON.stringify(printed));
process.exit();
