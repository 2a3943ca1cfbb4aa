import { jestModuleNameMapper } from './scripts/subpaths.mjs';

/** One project a test layer: `npm run test:unit` and its like select one of them. */
const layers = ['unit', 'conformance', 'integration', 'interop', 'sample', 'chaos'];
const layersWithoutServer = ['unit'];

const oneRedisForTheRun = {
  globalSetup: '<rootDir>/test/support/redis/jest-global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/redis/jest-global-teardown.mjs',
};

/** @param {boolean} decoratorMetadata */
function swc(decoratorMetadata) {
  return [
    '@swc/jest',
    {
      swcrc: false,
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata },
        keepClassNames: true,
      },
      sourceMaps: 'inline',
    },
  ];
}

/** @type {import('jest').Config} */
export default {
  maxWorkers: '100%',
  // With a limit Jest never runs specs in its own process, whose timers and pipes would be among those that the
  // leak guard counts.
  workerIdleMemoryLimit: '1GB',
  projects: layers.map((layer) => ({
    displayName: layer,
    rootDir: import.meta.dirname,
    roots: ['<rootDir>/lib', '<rootDir>/test'],
    testMatch: [`<rootDir>/test/${layer}/**/*.spec.ts`],
    testPathIgnorePatterns: ['/node_modules/', '/fixtures/'],
    testEnvironment: 'node',
    ...(layersWithoutServer.includes(layer) ? {} : oneRedisForTheRun),
    setupFiles: ['<rootDir>/test/support/define-require.mts'],
    extensionsToTreatAsEsm: ['.ts', '.mts'],
    moduleNameMapper: {
      ...jestModuleNameMapper(),
      // A dynamic import stays one in CommonJS output, so the sources have to name the built file.
      '^(\\./[a-z]+/index)\\.js$': '$1',
    },
    // As in the build: the library gets along without type metadata, tests and samples have it.
    transform: { '/lib/.+\\.ts$': swc(false), '\\.m?ts$': swc(true) },
  })),
};
