// The Nest specs as a user's project would run them: CommonJS, and the package from node_modules.

/** @type {import('jest').Config} */
module.exports = {
  testMatch: ['<rootDir>/test/integration/nest/**/*.spec.ts'],
  testEnvironment: 'node',
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        module: { type: 'commonjs' },
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        sourceMaps: 'inline',
      },
    ],
  },
};
