import { lintConfig } from './scripts/lint/config.mjs';

export default lintConfig(import.meta.dirname);
