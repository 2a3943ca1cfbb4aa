// Packs the built package, and installs it into applications as a user would. (A plain module, for specs and for
// scripts without a build.)

import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { runProgram } from './run-program.mjs';

/**
 * @typedef {object} Manifest the part of a `package.json` that is looked at here
 * @property {string} name
 * @property {string} version
 * @property {Record<string, string>} [engines]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 */

/**
 * @typedef {object} PackedPackage the built package as npm would publish it
 * @property {Manifest} manifest
 * @property {string} tarball where the tarball is
 * @property {string} integrity
 * @property {Record<string, LockEntry>} dependencies what the package depends on, in the versions it is developed with
 * @property {string[]} files paths inside the tarball
 * @property {number} size bytes of the tarball
 * @property {number} unpackedSize bytes of the files in it
 */

/** @typedef {Partial<Manifest> & { resolved?: string, integrity?: string }} LockEntry */

/** What npm calls the ways in which a registry cannot be reached. */
const unreachable = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTCACHED',
  'ENOTFOUND',
  'ERR_SOCKET_TIMEOUT',
  'ETIMEDOUT',
  'FETCH_ERROR',
]);

/**
 * Packs what is built. That `dist` is fresh is up to the caller.
 *
 * @param {string} root of the repository
 * @param {string} folder takes the tarball
 * @returns {Promise<PackedPackage>}
 */
export async function packPackage(root, folder) {
  const output = await npm(
    root,
    ['pack', '--json', '--ignore-scripts', '--pack-destination', folder],
    'The package was not packed',
  );
  /** @type {[{ filename: string, files: { path: string }[], integrity: string, size: number, unpackedSize: number }]} */
  const [{ filename, files, integrity, size, unpackedSize }] = JSON.parse(output);
  /** @type {Manifest} */
  const manifest = await readJson(join(root, 'package.json'));
  /** @type {{ packages: Record<string, LockEntry> }} */
  const { packages } = await readJson(join(root, 'package-lock.json'));
  return {
    manifest,
    dependencies: dependenciesOf(manifest, packages),
    tarball: join(folder, filename),
    files: files.map(({ path }) => path),
    integrity,
    size,
    unpackedSize,
  };
}

/**
 * @param {LockEntry} entry
 * @param {Record<string, LockEntry>} packages of a lock
 * @returns {Record<string, LockEntry>}
 */
function dependenciesOf({ dependencies = {} }, packages) {
  return Object.fromEntries(
    Object.keys(dependencies).flatMap((name) => {
      const key = `node_modules/${name}`;
      const entry = packages[key] ?? {};
      return [[key, entry], ...Object.entries(dependenciesOf(entry, packages))];
    }),
  );
}

/**
 * Copies an application with its lock, and installs into the copy what the lock says and the packed package. npm
 * refuses a lock that is behind its `package.json`, and peers that the package does not accept.
 *
 * @param {string} application folder with the application
 * @param {string} folder the copy
 * @param {PackedPackage} packed
 * @param {{ withoutPeers?: boolean }} [options] `withoutPeers`: the peers of the package may be missing; default: false
 */
export async function installApplication(application, folder, packed, { withoutPeers = false } = {}) {
  await cp(application, folder, {
    recursive: true,
    filter: (path) => !['node_modules', 'build'].includes(basename(path)),
  });
  await addToLock(folder, packed);
  await npm(
    folder,
    [
      'ci',
      '--ignore-scripts',
      '--include=dev',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      // With its own settings npm takes minutes to give up, longer than a test has time.
      '--fetch-timeout=100000',
      '--fetch-retry-mintimeout=1000',
      '--fetch-retry-maxtimeout=5000',
      ...(withoutPeers ? ['--legacy-peer-deps'] : []),
    ],
    `The packages of ${basename(application)} were not installed`,
  );
}

/**
 * The committed lock cannot name the package, whose checksum changes with every build, nor what only it needs.
 *
 * @param {string} folder
 * @param {PackedPackage} packed
 */
async function addToLock(folder, { manifest, tarball, integrity, dependencies: ofPackage }) {
  const { name, version, engines, dependencies, peerDependencies, peerDependenciesMeta } = manifest;
  const resolved = `file:${tarball}`;

  /** @type {Manifest} */
  const application = await readJson(join(folder, 'package.json'));
  application.dependencies = { ...application.dependencies, [name]: resolved };
  await writeFile(join(folder, 'package.json'), JSON.stringify(application));

  /** @type {{ packages: Record<string, LockEntry> }} */
  const lock = await readJson(join(folder, 'package-lock.json'));
  lock.packages = { ...ofPackage, ...lock.packages };
  lock.packages[''] = { ...lock.packages[''], dependencies: application.dependencies };
  lock.packages[`node_modules/${name}`] = {
    version,
    resolved,
    integrity,
    engines,
    dependencies,
    peerDependencies,
    peerDependenciesMeta,
  };
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock));
}

/**
 * @param {string} cwd
 * @param {string[]} args
 * @param {string} failure what has not happened when npm fails
 */
async function npm(cwd, args, failure) {
  const { status, stdout, stderr } = await runProgram('npm', args, { cwd, deadline: 360_000 });
  if (status === 0) return stdout;
  const code = /^npm (?:error|ERR!) code (\S+)$/m.exec(stderr)?.[1] ?? `exit code ${status}`;
  const reason = unreachable.has(code)
    ? `the npm registry, which is needed for that, cannot be reached (${code}).`
    : `npm refused (${code}).`;
  throw new Error(`${failure}: ${reason}`, {
    cause: new Error(`"npm ${args.join(' ')}" ended with exit code ${status}.\n${stderr}`),
  });
}

/** @param {string} file */
async function readJson(file) {
  return JSON.parse(await readFile(file, 'utf8'));
}
