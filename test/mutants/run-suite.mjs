// Runs the compiled conformance suite on the backends that it is told until a case fails, and writes how far it came.
// The cases of one area, if it is told one, run first.

import { createRequire } from 'node:module';
import { join } from 'node:path';

const [, , scratch = '', first = '', ...backends] = process.argv;
const requireCopy = createRequire(join(scratch, 'test/conformance/harnesses.js'));

/** @type {typeof import('../conformance/harnesses.js')} */
const { HARNESSES } = requireCopy('./harnesses.js');
/** @type {typeof import('nestjs-lane/testing/conformance')} */
const { CONFORMANCE_CASES, areaOf, runCase } = requireCopy('nestjs-lane/testing/conformance');

const unknown = backends.filter((name) => HARNESSES.every((harness) => harness.name !== name));
if (unknown.length > 0) throw new Error(`No backend of the suite is called ${unknown.join(' or ')}.`);

if (first !== '' && CONFORMANCE_CASES.every((each) => areaOf(each) !== first)) {
  throw new Error(`No case of the suite is about ${first}.`);
}
const cases = CONFORMANCE_CASES.toSorted(
  (one, other) => Number(areaOf(other) === first) - Number(areaOf(one) === first),
);

try {
  for (const harness of HARNESSES.filter(({ name }) => backends.includes(name))) {
    for (const each of cases) {
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
// A harness may hold a connection for as long as its process lives.
process.exit();
