import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';

import { guardAgainstLeaks } from '../../support/leak-guard';
import { packPackage, type PackedPackage } from '../../support/packed-package.mjs';
import { redisUrl } from '../../support/redis/redis-of-run.mjs';
import { InstalledApplication } from './installed-application';

// It installs applications, from a registry far away if need be, and compiles them.
jest.setTimeout(600_000);

guardAgainstLeaks();

const done = { status: 0, stdout: '', stderr: '' };
const ranTheJob = { status: 0, stdout: '2 + 3 = 5\n', stderr: '' };

const { exports, peerDependenciesMeta = {} } = readJson<{
  exports: Record<string, unknown>;
  peerDependenciesMeta?: Record<string, { optional: boolean }>;
}>('package.json');
const optionalPeers = Object.keys(peerDependenciesMeta).filter(
  (name) => peerDependenciesMeta[name]?.optional,
);
/** Sub-paths that load in their test runner alone, as the applications with one do. */
const needRunner = ['nestjs-lane/testing/jest', 'nestjs-lane/testing/vitest'];
const subPaths = Object.keys(exports)
  .filter((key) => key !== './package.json')
  .map((key) => `nestjs-lane${key.slice(1)}`)
  .filter((specifier) => !needRunner.includes(specifier));
const needNest = ['nestjs-lane', 'nestjs-lane/terminus', 'nestjs-lane/testing'];
/** Sub-paths whose types are those of a driver in part; they load without it. */
const needDriver = ['nestjs-lane/redis'];
const subPathsWithoutNest = subPaths.filter((specifier) => !needNest.includes(specifier));
const withoutDriver = (specifiers: readonly string[]): string[] =>
  specifiers.filter((specifier) => !needDriver.includes(specifier));

const inside = [
  'nestjs-lane/dist/index.js',
  'nestjs-lane/dist/engine/queue',
  'nestjs-lane/dist/backends/memory/index.mjs',
];

let workplace: string;
let packed: PackedPackage;
let onNest11: InstalledApplication;
let onNest12: InstalledApplication;
let withoutNest: InstalledApplication;
let onIoredis5: InstalledApplication;

beforeAll(async () => {
  workplace = realpathSync(mkdtempSync(join(tmpdir(), 'nestjs-lane-')));
  packed = await packPackage(process.cwd(), workplace);
  onNest11 = await InstalledApplication.install('commonjs-nest-11', workplace, packed);
  onNest12 = await InstalledApplication.install('esm-nest-12', workplace, packed);
  withoutNest = await InstalledApplication.install('engine-alone', workplace, packed, { withoutPeers: true });
  onIoredis5 = await InstalledApplication.install('engine-ioredis-5', workplace, packed, {
    withoutPeers: true,
  });
});

afterAll(() => rmSync(workplace, { recursive: true, force: true }));

describe('The tarball', () => {
  it('holds what is built from lib, and what a reader needs', () => {
    const stems = readdirSync('lib', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `dist/${file.slice(0, -'.ts'.length)}`);
    const wrappers = JSON.stringify(exports).match(/dist\/[^"]+\.mjs|dist\/[^"]+\.d\.mts/g) ?? [];
    expect([...packed.files].sort()).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'package.json',
        'docs/glossary.md',
        ...pagesIn('docs/guides'),
        ...pagesIn('docs/reference'),
        ...stems.flatMap((stem) => [`${stem}.d.ts`, `${stem}.js`]),
        ...wrappers,
      ].sort(),
    );
  });

  it('has every page that its pages for users lead to', () => {
    const pages = packed.files.filter((file) => /^docs\/.+\.md$/.test(file));
    const links = pages.flatMap((page) => linksOf(page).map((link) => join(dirname(page), link)));

    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((link) => !packed.files.includes(link))).toEqual([]);
  });

  // A tenth of it are the guides.
  it('is small', () => {
    expect(packed.size).toBeLessThan(700_000);
    expect(packed.unpackedSize).toBeLessThan(3_200_000);
  });
});

describe('A CommonJS application on Nest 11', () => {
  it('NA-13-02 compiles with classic resolution, and finds the types of every sub-path that needs no driver', async () => {
    onNest11.write('src/sub-paths.ts', reexports(withoutDriver(subPaths)));
    expect(await onNest11.compile()).toEqual(done);
  });

  it('runs a job, closes and ends by itself', async () => {
    expect(await onNest11.run('build/main.js')).toEqual(ranTheJob);
  });

  it('NA-11-15 does not start without the driver of its backend, and is told how to install it', async () => {
    onNest11.write(
      'no-driver.cjs',
      `require('reflect-metadata');
       const { Module } = require('@nestjs/common');
       const { NestFactory } = require('@nestjs/core');
       const { LaneModule } = require('nestjs-lane');
       class AppModule {}
       Module({ imports: [LaneModule.forRoot({ backend: 'redis://127.0.0.1' })] })(AppModule);
       NestFactory.createApplicationContext(AppModule, { logger: false, abortOnError: false })
         .catch(({ message }) => console.log(message));`,
    );
    expect(await onNest11.run('no-driver.cjs')).toEqual({
      ...done,
      stdout: `Lane could not start: 1 problem.

1. LANE_DRIVER_MISSING  The backend redis() reaches its server by the package "ioredis", which is not installed. Install it: npm install ioredis.
   Where: backend of LaneModule.forRoot() in AppModule
`,
    });
  });

  it('NA-12-05 takes values of another copy of the package, and hands it its own', async () => {
    expect(await onNest11.runWithTwoCopies()).toEqual({
      ...done,
      stdout: [
        'returned: returned',
        'completed: completed',
        'discarded: no use',
        'snoozed: snoozed',
        'unrecoverable: no use at all',
        'delayed: delayed',
        'limited: limited',
        'invalid: LANE_INVALID_DATA',
        'hosted: host ran any',
        'replayed: send,send',
        'heard: true',
        'other metadata: none',
        '',
      ].join('\n'),
    });
  });

  it('NA-13-02 finds the same types both ways with node16', async () => {
    expect(
      await onNest11.checkTypes(
        'types.mts',
        bothWays(withoutDriver(subPaths)),
        { module: 'node16' },
        onNest12,
      ),
    ).toEqual(done);
  });

  it('NA-13-02 finds the same types both ways when a bundler resolves', async () => {
    const options = { module: 'preserve', moduleResolution: 'bundler' };
    expect(
      await onNest11.checkTypes('types.ts', bothWays(withoutDriver(subPaths)), options, onNest12),
    ).toEqual(done);
  });

  loadsSubPaths(() => onNest11, subPaths);
});

describe('An ES module application on Nest 12', () => {
  it('compiles with nodenext, and finds the types of every sub-path that needs no driver', async () => {
    onNest12.write('src/sub-paths.ts', reexports(withoutDriver(subPaths)));
    expect(await onNest12.compile()).toEqual(done);
  });

  it('runs a job, closes and ends by itself', async () => {
    expect(await onNest12.run('build/main.js')).toEqual(ranTheJob);
  });

  it('NA-13-02 finds the same types both ways with nodenext', async () => {
    expect(
      await onNest12.checkTypes('types.mts', bothWays(withoutDriver(subPaths)), { module: 'nodenext' }),
    ).toEqual(done);
  });

  it('finds the same types both ways with node16, for which no CommonJS file may import Nest 12', async () => {
    const options = { module: 'node16', skipLibCheck: true };
    expect(await onNest12.checkTypes('types.mts', bothWays(withoutDriver(subPaths)), options)).toEqual(done);
  });

  it('NA-13-02 finds the same types both ways when a bundler resolves', async () => {
    const options = { module: 'preserve', moduleResolution: 'bundler' };
    expect(await onNest12.checkTypes('types.ts', bothWays(withoutDriver(subPaths)), options)).toEqual(done);
  });

  loadsSubPaths(() => onNest12, subPaths);
});

describe('An application without Nest', () => {
  it('has none installed', () => {
    expect(withoutNest.has('nestjs-lane')).toBe(true);
    expect(withoutNest.has('@nestjs')).toBe(false);
    expect(withoutNest.has('reflect-metadata')).toBe(false);
  });

  it('compiles, and finds the types of every sub-path but those for Nest or a driver', async () => {
    withoutNest.write('src/sub-paths.mts', reexports(withoutDriver(subPathsWithoutNest)));
    expect(await withoutNest.compile('.', onNest12)).toEqual(done);
  });

  it('runs a job on the engine and ends by itself', async () => {
    expect(await withoutNest.run('build/main.mjs')).toEqual(ranTheJob);
  });

  loadsSubPaths(() => withoutNest, subPathsWithoutNest);

  it('NA-11-15 is told how to install the driver that a backend lacks, by value or URL', async () => {
    const message =
      'LANE_DRIVER_MISSING: The backend redis() reaches its server by the package "ioredis", which is not ' +
      'installed. Install it: npm install ioredis.\n';
    withoutNest.write(
      'no-driver.mjs',
      `import { Queue } from 'nestjs-lane/engine';
       import { redis } from 'nestjs-lane/redis';
       const tell = ({ code, message }) => console.log(\`\${code}: \${message}\`);
       try { redis(); } catch (error) { tell(error); }
       await new Queue('sums', { backend: 'redis://127.0.0.1' }).add('add', {}).catch(tell);`,
    );
    expect(await withoutNest.run('no-driver.mjs')).toEqual({ ...done, stdout: message + message });
  });
});

describe('An application with ioredis 5', () => {
  it('compiles, and finds the types of the backend both ways', async () => {
    expect(await onIoredis5.compile('.', onNest12)).toEqual(done);
    const options = { module: 'nodenext' };
    expect(await onIoredis5.checkTypes('types.mts', bothWays(needDriver), options, onNest12)).toEqual(done);
  });

  it('runs a job on Redis and ends by itself', async () => {
    expect(await onIoredis5.run('build/main.mjs', await redisUrl())).toEqual(ranTheJob);
  });
});

describe('Without the npm registry', () => {
  const before = { ...process.env };
  afterEach(() => {
    process.env = { ...before };
  });

  it('NA-13-13 an installation fails with a sentence that says so, and what npm said', async () => {
    process.env.npm_config_registry = 'http://127.0.0.1:1/';
    process.env.npm_config_cache = join(workplace, 'empty-cache');
    process.env.npm_config_fetch_retries = '0';
    const failure = InstalledApplication.install('engine-alone', join(workplace, 'offline'), packed);
    await expect(failure).rejects.toMatchObject({
      message:
        'The packages of engine-alone were not installed: the npm registry, which is needed for that, cannot be reached (ECONNREFUSED).',
      cause: {
        message: expect.stringMatching(/^"npm ci .*" ended with exit code 1\.\nnpm error code ECONNREFUSED/),
      },
    });
  });
});

function loadsSubPaths(application: () => InstalledApplication, specifiers: string[]) {
  it('NA-13-01 NA-13-03 loads every sub-path both ways with no optional package, and gets the same values', async () => {
    expect(optionalPeers.filter((name) => application().has(name))).toEqual([]);
    const publicNames = readJson<Record<string, { values: string[] }>>('test/unit/package/public-names.json');
    const expected = specifiers.map((specifier) => {
      const names = publicNames[specifier]?.values;
      return [specifier, { import: names, require: names, different: [] }];
    });
    expect(await application().load(specifiers)).toEqual(Object.fromEntries(expected));
  });

  it('cannot load what is inside', async () => {
    const refused = 'ERR_PACKAGE_PATH_NOT_EXPORTED';
    const expected = inside.map((specifier) => [
      specifier,
      { import: refused, require: refused, different: [] },
    ]);
    expect(await application().load(inside)).toEqual(Object.fromEntries(expected));
  });
}

/** A module that imports every sub-path in the way of its application. */
function reexports(specifiers: readonly string[]): string {
  return specifiers.map((specifier, at) => `export * as entry${at} from '${specifier}';\n`).join('');
}

/** A module that compiles if import and require find the same types, and find none of a file inside. */
function bothWays(specifiers: readonly string[]): string {
  const refused = inside.map(
    (specifier, at) => `// @ts-expect-error\nexport * as inside${at} from '${specifier}';\n`,
  );
  const same = specifiers.map(
    (specifier, at) => `
      import * as imported${at} from '${specifier}';
      import required${at} = require('${specifier}');
      export const there${at}: typeof required${at} = imported${at};
      export const back${at}: typeof imported${at} = required${at};\n`,
  );
  return [...refused, ...same].join('');
}

function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(join(process.cwd(), path), 'utf8')) as Content;
}

function pagesIn(folder: string): string[] {
  return readdirSync(folder).map((file) => `${folder}/${file}`);
}

/** Relative links of a page to other pages. */
function linksOf(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/\]\(([^)#:\s]+\.md)(?:#[^)\s]*)?\)/g)].map(
    ([, link]) => link!,
  );
}
