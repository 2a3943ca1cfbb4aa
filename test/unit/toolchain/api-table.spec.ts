import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { ScratchRepository } from './scratch-repository';

// Each start of the script reads the types of BullMQ, which takes seconds.
jest.setTimeout(120_000);

const PAGE = 'docs/reference/bullmq-api.md';

let repository: ScratchRepository;
let list: string;

beforeAll(() => {
  repository = new ScratchRepository({
    'lib/engine/index.ts': 'export class Queue {\n  add(): void {}\n  pause(): void {}\n}\n',
    'lib/testing/conformance/cases/add.cases.ts':
      "function wakes(title: string) {\n  return { title };\n}\nexport const CASES = [{ title:\n 'adds \"it\"' }, wakes('wakes')];\n",
    'test/unit/queue.spec.ts':
      "describe('a queue', () => {\n  it.each([1])('pauses %p', () => {});\n  it('is twice', () => {});\n});\n",
    'test/unit/other.spec.ts': "it('is twice', () => {});\n",
  });
  list = check('--list').output;
});

afterAll(() => repository.dispose());

const check = (...args: string[]) => repository.node('scripts/check-api-table.mjs', ...args);

/** A page with all rows, some of which say something in particular: `Section: name` to the rest of the row. */
function writePage(rows: Record<string, string>, extra = ''): void {
  let section = '';
  const lines = list
    .trimEnd()
    .split('\n')
    .map((line) => {
      if (line.startsWith('## ')) {
        section = line.slice(3);
        return `${line}\n`;
      }
      const name = line.slice(4);
      return `| \`${name}\` | ${rows[`${section}: ${name}`] ?? 'differs | use another'} |`;
    });
  repository.write(PAGE, `# A page\n\n${lines.join('\n')}\n${extra}`);
}

describe('scripts/check-api-table.mjs', () => {
  it('accepts a page that has a row for every name, tests for promises and a subject for what is missing', () => {
    writePage(
      {
        'Queue: add': 'yes | soon: “adds "it"”, “wakes”',
        'Queue: pause': 'yes | “pauses %p”',
        'Queue: getDependencies': 'no | flows, as yet',
        'Worker: getNextJob': 'differs | there is “pauses %p”',
      },
      '| what no type shows | yes | “wakes” |\n',
    );
    expect(check()).toEqual({ status: 0, output: '' });
  });

  it('finds promises that nothing shows, or that are not kept', () => {
    writePage({
      'Queue: add': 'yes | “adds it”',
      'Queue: pause': 'yes | “a queue”',
      'Queue: resume': 'yes | “wakes”',
      'Worker: run': 'differs | see “is twice”',
      'Job: retry': 'yes | it is said',
    });
    const { status, output } = check();
    expect(status).toBe(1);
    expect(output.trim().split('\n').sort()).toEqual(
      [
        'Queue: add: no test has the title “adds it”.',
        'Queue: pause: no test has the title “a queue”.',
        'Queue: resume is promised, and there is none.',
        'Worker: run: 2 tests have the title “is twice”.',
        'Job: retry is promised, and there is none.',
        'Job: retry is promised, and no test is named.',
      ]
        .map((problem) => `${PAGE}: ${problem}`)
        .sort(),
    );
  });

  it('finds rows that are missing, that say nothing, or that are nothing of BullMQ’s', () => {
    writePage(
      {
        'Queue: pause': 'no | flows',
        'Queue: getJobs': 'no | nobody needs it',
        'Worker: run': 'differs | ',
        'Worker: close': 'maybe | “wakes”',
      },
      '| is said once | differs | here |\n| is said once | differs | there |\n## Opinions\n',
    );
    repository.write(
      PAGE,
      repository
        .read(PAGE)
        .replace('| `getJob` |', '| `fetchJob` |')
        .replace(/\| `clean` .*\n/, '')
        .replace('## Arguments\n', ''),
    );
    const { status, output } = check();
    expect(status).toBe(1);
    for (const problem of [
      'Queue: getJob has no row.',
      'Queue: clean has no row.',
      'Queue: fetchJob is nothing of BullMQ’s.',
      'Queue: pause is said to be missing, and there is one.',
      'Queue: getJobs is missing for another reason than flows, deduplication, schedulers, sandboxes, telemetry, relay.',
      'Worker: run differs, and nothing says what to do instead.',
      'Worker: close: "maybe" is none of yes, differs and no.',
      'is said once has more than one row.',
      '"Opinions" is no section that this script knows.',
      '"Arguments" is not there.',
    ]) {
      expect(output).toContain(`${problem}\n`);
    }
  });
});
