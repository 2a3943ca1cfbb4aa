// Runs the compiled conformance suite on every backend until a case fails, and writes how far it came.

import { createRequire } from 'node:module';
import { join } from 'node:path';

const [, , scratch = ''] = process.argv;
const requireCopy = createRequire(join(scratch, 'test/conformance/harnesses.js'));

/** @type {typeof import('../conformance/harnesses.js')} */
const { HARNESSES } = requireCopy('./harnesses.js');
/** @type {typeof import('nestjs-lane/testing/conformance')} */
const { CONFORMANCE_CASES, areaOf, runCase } = requireCopy('nestjs-lane/testing/conformance');

try {
  for (const harness of HARNESSES) {
    for (const each of CONFORMANCE_CASES) {
      if (each.requires === undefined || harness.capabilities[each.requires]) {
        process.stdout.write(`began ${harness.name}: ${areaOf(each)}: ${each.title}\n`);
        await runCase(each, harness);
        process.stdout.write('passed\n');
      }
    }
  }
} catch {
  process.exitCode = 1;
}
