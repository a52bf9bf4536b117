export default {
  testEnvironment: 'node',
  runtime: '<rootDir>/test/support/runner/runtime.mjs',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.mjs' },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  // For what hangs: a busy machine needs half a minute for what is done in a second elsewhere.
  testTimeout: 120_000,
  testSequencer: '<rootDir>/test/support/runner/longest-first.mjs',
  // Tests wait for servers as often as they compute: three at once use two processors well.
  maxWorkers: 3,
  workerIdleMemoryLimit: '1000MB',
  reporters: ['default', '<rootDir>/test/support/outcomes-reporter.ts'],
};
