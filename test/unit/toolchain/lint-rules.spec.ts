import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';

import { lintConfig } from '../../../scripts/lint/config.mjs';
import { ScratchRepository } from './scratch-repository';

// The first test loads the linter.
jest.setTimeout(60_000);

/** A library with a file in every layer, for the lines below to import. */
const repositoryFiles = {
  'lib/index.ts': "export { LaneModule } from './nest/lane.module';\n",
  'lib/model/job.ts': 'export const job = 1;\n',
  'lib/model/policy/next-run-time.ts': '',
  'lib/contract/backend.ts': "export { job as backend } from '../model/job';\n",
  'lib/engine/index.ts': "export { queue } from './queue';\n",
  'lib/engine/queue.ts': "export { backend as queue } from '../contract/backend';\n",
  'lib/engine/worker/worker.ts': 'export const worker = 1;\n',
  'lib/backends/from-url.ts': "export const fromUrl = () => import('./memory/index.js');\n",
  'lib/backends/embedded/machine.ts': 'export const machine = 1;\n',
  'lib/backends/memory/index.ts': "export { machine as memory } from '../embedded/machine';\n",
  'lib/backends/redis/index.ts': 'export const redis = 1;\n',
  'lib/backends/redis/driver.ts': 'export const driver = 1;\n',
  'lib/bullmq/index.ts': '',
  'lib/nest/lane.module.ts': 'export const LaneModule = 1;\n',
  'lib/plugins/plugin.ts': '',
  'lib/testing/drain-queue.ts': '',
  'lib/testing/conformance/index.ts': '',
  'sample/01-mail-merge/main.ts': '',
  'test/integration/start.spec.ts': '',
  'test/support/manual-clock.ts': 'export const clock = 1;\n',
  'test/unit/engine/queue.spec.ts': '',
  'test/unit/helper.ts': 'export const helper = 1;\n',
};

type File = keyof typeof repositoryFiles;

describe('The lint rules', () => {
  let repository: ScratchRepository;
  let eslint: ESLint;

  beforeAll(() => {
    repository = new ScratchRepository(repositoryFiles);
    eslint = new ESLint({
      cwd: repository.root,
      overrideConfigFile: true,
      overrideConfig: [
        ...lintConfig(repository.root),
        // None of the rules looked at here needs types, which take most of the time.
        { ...tseslint.configs.disableTypeChecked, name: 'untyped' },
      ],
    });
  });

  afterAll(() => repository.dispose());

  /** What the rules say when this is all that stands in the file. */
  async function complaints(file: File, text: string): Promise<string> {
    const results = await eslint.lintText(`${text}\n`, { filePath: join(repository.root, file) });
    return results
      .flatMap(({ messages }) => messages)
      .map(({ ruleId, message }) => `${ruleId}: ${message}`)
      .join('\n');
  }

  it.each<[File, string]>([
    ['lib/model/policy/next-run-time.ts', "export { CronExpressionParser } from 'cron-parser';"],
    ['lib/contract/backend.ts', "export { job } from '../model/job';"],
    ['lib/contract/backend.ts', "export type { EventEmitter } from 'node:events';"],
    ['lib/engine/queue.ts', "export { fromUrl } from '../backends/from-url';"],
    ['lib/engine/queue.ts', "export { Subject } from 'rxjs';"],
    ['lib/engine/queue.ts', "export { worker } from './worker/worker';"],
    ['lib/backends/from-url.ts', "export const load = () => import('./memory/index.js');"],
    ['lib/backends/memory/index.ts', "export { machine } from '../embedded/machine';"],
    ['lib/backends/redis/driver.ts', "export const driver: unknown = require('ioredis');"],
    ['lib/nest/lane.module.ts', "export { Module } from '@nestjs/common';"],
    ['lib/nest/lane.module.ts', "export { memory } from '../backends/memory/index';"],
    ['lib/nest/lane.module.ts', "export { queue } from '../engine/index';"],
    ['lib/testing/conformance/index.ts', "export { strict } from 'node:assert';"],
    ['lib/testing/drain-queue.ts', "export { redis } from '../backends/redis/index';"],
    ['lib/bullmq/index.ts', "export { redis } from '../backends/redis/index';"],
    ['lib/index.ts', "export { queue } from './engine/queue';"],
    ['test/unit/engine/queue.spec.ts', "export { queue } from '../../../lib/engine/queue';"],
    ['test/integration/start.spec.ts', "export { clock } from '../support/manual-clock';"],
    ['test/integration/start.spec.ts', "export { LaneModule } from 'nestjs-lane';"],
    ['sample/01-mail-merge/main.ts', "export { Logger } from '@nestjs/common';"],
  ])('allow in %s: %s', async (file, line) => {
    // A spec that exports something is another rule's business.
    const found = await complaints(file, line);
    expect(found.replace(/^jest\/no-export: .*$/m, '')).toBe('');
  });

  const layering = 'import-x/no-restricted-paths';
  const names = 'no-restricted-imports';
  const syntax = 'no-restricted-syntax';

  it.each<[File, string, string, RegExp]>([
    ['lib/model/job.ts', "import '../engine/queue';", layering, /imports nothing but itself/],
    [
      'lib/model/job.ts',
      "export type { queue } from '../engine/queue';",
      layering,
      /imports nothing but itself/,
    ],
    ['lib/model/job.ts', "import 'node:crypto';", names, /imports nothing but itself/],
    ['lib/model/job.ts', "import 'rxjs';", names, /imports nothing but itself/],
    ['lib/model/job.ts', "import 'cron-parser';", names, /imports nothing but itself/],
    ['lib/model/policy/next-run-time.ts', "import 'rxjs';", names, /cron-parser and nothing else/],
    ['lib/model/policy/next-run-time.ts', "import '../../engine/queue';", layering, /nothing else/],
    ['lib/contract/backend.ts', "import '../engine/queue';", layering, /what a backend must do/],
    ['lib/contract/backend.ts', "import 'rxjs';", names, /what a backend must do/],
    [
      'lib/engine/queue.ts',
      "import '../backends/memory/index';",
      layering,
      /knows backends by their contract/,
    ],
    ['lib/engine/queue.ts', "import '../nest/lane.module';", layering, /without a framework/],
    ['lib/engine/queue.ts', "import '@nestjs/common';", names, /without a framework/],
    [
      'lib/engine/queue.ts',
      "export const load = () => import('../nest/lane.module.js');",
      syntax,
      /asked for/,
    ],
    ['lib/backends/from-url.ts', "import './memory/index';", names, /by a dynamic import/],
    [
      'lib/backends/from-url.ts',
      "export const load = () => import('./redis/driver.js');",
      syntax,
      /index of a/,
    ],
    ['lib/backends/memory/index.ts', "import '../redis/index';", layering, /nor another backend/],
    ['lib/backends/memory/index.ts', "import '../../engine/queue';", layering, /neither the engine/],
    ['lib/backends/redis/index.ts', "import '../embedded/machine';", layering, /nor another backend/],
    ['lib/backends/redis/index.ts', "export const x: unknown = require('ioredis');", syntax, /driver\.ts/],
    ['lib/nest/lane.module.ts', "import '../backends/redis/index';", layering, /it knows memory/],
    ['lib/nest/lane.module.ts', "import 'bullmq';", names, /stands on model/],
    ['lib/testing/conformance/index.ts', "import '../../nest/lane.module';", layering, /no framework/],
    ['lib/testing/conformance/index.ts', "import '../../backends/memory/index';", layering, /on any backend/],
    ['lib/testing/conformance/index.ts', "import 'node:test';", names, /any test runner/],
    ['lib/testing/conformance/index.ts', "import '@jest/globals';", names, /any test runner/],
    ['lib/testing/drain-queue.ts', "import '../backends/redis/driver';", layering, /a driver is not for it/],
    ['lib/bullmq/index.ts', "import '../backends/memory/index';", layering, /names of BullMQ/],
    ['lib/index.ts', "import './backends/memory/index';", layering, /a sub-path of its own/],
    ['lib/plugins/plugin.ts', 'export const plugin = 1;', syntax, /no row in/],

    ['lib/engine/queue.ts', "import './index';", names, /for those outside its folder/],
    ['lib/engine/worker/worker.ts', "import '..';", names, /for those outside its folder/],
    ['lib/engine/worker/worker.ts', "import '../../index';", names, /for those outside its folder/],
    ['lib/index.ts', "export * from './engine/queue';", syntax, /Export by name/],
    ['lib/model/job.ts', 'export default 1;', 'import-x/no-default-export', /./],

    ['test/integration/start.spec.ts', "import '../../lib/engine/queue';", names, /as its users do/],
    ['test/integration/start.spec.ts', "import 'nestjs-lane/dist/index.js';", names, /published sub-path/],
    ['test/integration/start.spec.ts', "import '../unit/helper';", layering, /by way of test\/support/],
    ['test/support/manual-clock.ts', "import '../../lib/engine/queue';", names, /as its users do/],
    ['sample/01-mail-merge/main.ts', "import '../../lib/index';", names, /by its name/],
    ['sample/01-mail-merge/main.ts', "import '../../dist/index.js';", names, /by its name/],
  ])('refuse in %s: %s', async (file, line, rule, reason) => {
    const found = await complaints(file, line);
    expect(found).toContain(`${rule}: `);
    expect(found).toMatch(reason);
  });

  it.each([
    ["import { drain } from './drain';\n\nexport const worker = (): unknown => drain;", true],
    ["import { queue } from '../queue';\n\nexport const worker = (): unknown => queue;", false],
    ["import type { drain } from './drain';\n\nexport type Worker = typeof drain;", false],
  ])('refuse a cycle of values, within a layer too: %j', async (text, refused) => {
    repository.write(
      'lib/engine/worker/drain.ts',
      "import { worker } from './worker';\n\nexport const drain = (): unknown => worker;\n",
    );
    expect(await complaints('lib/engine/worker/worker.ts', text)).toBe(
      refused ? 'import-x/no-cycle: Dependency cycle detected' : '',
    );
  });

  const insteadOfSleeping = /^no-restricted-(syntax|imports): .*Use waitUntil or a manual clock\.$/;

  it.each([
    'export const nap = () => new Promise((resolve) => setTimeout(resolve, 5));',
    'export const nap = () => new Promise((resolve) => { globalThis.setTimeout(() => resolve(1), 5); });',
    "import { setTimeout as nap } from 'node:timers/promises'; nap;",
    "import { promisify } from 'node:util';\n\nexport const nap = promisify(setTimeout);",
  ])('refuse a bare sleep in a test: %s', async (text) => {
    const found = await complaints('test/unit/helper.ts', text);
    expect(found.split('\n')).toContainEqual(expect.stringMatching(insteadOfSleeping));
  });

  it('allow test support to sleep, and tests to set a timer', async () => {
    const sleep = 'export const nap = () => new Promise((resolve) => setTimeout(resolve, 5));';
    expect(await complaints('test/support/manual-clock.ts', sleep)).toBe('');
    const timer = 'export const timer = () => setTimeout(() => undefined, 5);';
    expect(await complaints('test/unit/helper.ts', timer)).toBe('');
  });

  it('refuse a doc comment that documentation tools would misread', async () => {
    const found = await complaints('lib/model/job.ts', '/** Use {@link Job. */\nexport const job = 1;');
    expect(found).toMatch(/^tsdoc\/syntax: /);
  });
});
