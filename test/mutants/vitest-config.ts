import { defineConfig } from 'vitest/config';
import config from '../../vitest.config.ts';

/** The servers are there already, and stay; the laboratory reads the report. */
export default defineConfig({
  test: { ...config.test, maxWorkers: 1, globalSetup: './test/mutants/bundle-only.ts', reporters: ['json'] },
});
