import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { packPackage, type PackedPackage } from '../../support/packed-package.mjs';
import { redisUrl } from '../../support/redis/redis-of-run.mjs';
import { runProgram, type FinishedProgram } from '../../support/run-program.mjs';
import { InstalledApplication } from './installed-application';

// It installs applications, from a registry far away if need be, and builds them.
jest.setTimeout(600_000);

guardAgainstLeaks();

const done = { status: 0, stdout: '', stderr: '' };
const ranTheJob = { status: 0, stdout: '2 + 3 = 5\n', stderr: '' };

let workplace: string;
let packed: PackedPackage;

beforeAll(async () => {
  workplace = realpathSync(mkdtempSync(join(tmpdir(), 'nestjs-lane-')));
  packed = await packPackage(process.cwd(), workplace);
});

afterAll(() => rmSync(workplace, { recursive: true, force: true }));

describe('A CommonJS application on Nest 10', () => {
  let application: InstalledApplication;
  beforeAll(async () => {
    application = await InstalledApplication.install('commonjs-nest-10', workplace, packed);
  });

  it('NA-13-07 compiles, and runs a job in memory and on Redis', async () => {
    expect(await application.compile()).toEqual(done);
    expect(await application.run('build/main.js')).toEqual(ranTheJob);
    expect(await application.run('build/main.js', await redisUrl(), 'nest-10-tsc')).toEqual(ranTheJob);
  });

  it('NA-13-07 runs a job in memory and on Redis by ts-node', async () => {
    const tsNode = 'node_modules/ts-node/dist/bin.js';
    expect(await application.run(tsNode, 'src/main.ts')).toEqual(ranTheJob);
    expect(await application.run(tsNode, 'src/main.ts', await redisUrl(), 'nest-10-ts-node')).toEqual(
      ranTheJob,
    );
  });

  it('NA-10-15 NA-13-08 is tested by Jest without transforms, with the matchers', async () => {
    expect(await testedByJest(application)).toMatchObject({ status: 0 });
  });
});

describe('A CommonJS application on Nest 11 in a bundle', () => {
  let application: InstalledApplication;
  beforeAll(async () => {
    application = await InstalledApplication.install('bundled-nest-11', workplace, packed);
  });

  it('NA-13-04 NA-13-11 webpack bundles it with node_modules, and it runs a job in memory and on Redis', async () => {
    expect(await application.build('bundle-by-webpack.js')).toEqual(done);
    await runsAlone('webpack');
  });

  it('NA-13-05 NA-13-10 NA-13-11 esbuild bundles it with node_modules, and it runs a job in memory and on Redis', async () => {
    expect(await application.build('bundle-by-esbuild.js')).toEqual(done);
    await runsAlone('esbuild');
  });

  it('NA-10-15 NA-13-08 is tested by Jest without transforms, with the matchers', async () => {
    expect(await testedByJest(application)).toMatchObject({ status: 0 });
  });

  /** The bundle where there are no packages: whatever it needs is in it. */
  async function runsAlone(bundler: string): Promise<void> {
    const cwd = join(workplace, `bundle-of-${bundler}`);
    cpSync(join(application.folder, 'build', bundler), cwd, { recursive: true });
    const run = (...args: string[]): Promise<FinishedProgram> =>
      runProgram(process.execPath, ['main.js', ...args], { cwd });
    expect(await run()).toEqual(ranTheJob);
    expect(await run(await redisUrl(), `bundle-of-${bundler}`)).toEqual(ranTheJob);
    expect(await run(await redisUrl())).toEqual(ranTheJob);
  }
});

describe('An application of ES modules on Nest 12', () => {
  let application: InstalledApplication;
  beforeAll(async () => {
    application = await InstalledApplication.install('swc-nest-12', workplace, packed);
  });

  it('NA-13-06 is built by SWC, and runs a job in memory and on Redis', async () => {
    expect(await application.build('build.mjs')).toEqual(done);
    expect(await application.run('build/main.js')).toEqual(ranTheJob);
    expect(await application.run('build/main.js', await redisUrl(), 'nest-12-swc')).toEqual(ranTheJob);
  });

  it('NA-10-15 NA-13-09 is tested by Vitest, with the matchers', async () => {
    expect(await application.run('node_modules/vitest/vitest.mjs', 'run')).toMatchObject({ status: 0 });
  });
});

function testedByJest(application: InstalledApplication): Promise<FinishedProgram> {
  return application.run('node_modules/jest/bin/jest.js', '--ci');
}
