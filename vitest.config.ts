import { defineConfig } from 'vitest/config';
import { pool } from './test/support/runner/frugal-worker.ts';
import { LongestFirst } from './test/support/runner/longest-first.ts';

const report = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Node itself loads the files and takes their types out; a worker loads a module once for all its test files.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    isolate: false,
    pool,
    runner: './test/support/runner/native-runner.ts',
    globalSetup: './test/support/global-setup.ts',
    // For what hangs: a busy machine needs half a minute for what is done in a second elsewhere.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What was opened first is closed first.
    sequence: { sequencer: LongestFirst, hooks: 'list' },
    // Tests wait for servers as often as they compute: three at once use two processors well.
    maxWorkers: 3,
    reporters: [
      'default',
      './test/support/outcomes-reporter.ts',
      ...(report === undefined ? [] : [['json', { outputFile: report }] satisfies [string, unknown]]),
    ],
  },
});
