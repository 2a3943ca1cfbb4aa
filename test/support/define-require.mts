import { createRequire } from 'node:module';

// Drivers are loaded with a literal `require`, which exists in the CommonJS build but not in the ES modules
// that Jest makes of the sources.
globalThis.require = createRequire(import.meta.url);
