/** Node takes the types out; tests run the sources, not a build. `npm test` starts Node with `--experimental-vm-modules`. */
export default {
  testEnvironment: '<rootDir>/test/support/files-environment.ts',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  setupFiles: ['<rootDir>/test/support/errors-of-node.ts'],
  // For what hangs: a busy machine needs minutes for what is done in seconds elsewhere. No test has a time of its own.
  testTimeout: 600_000,
  // Tests wait for servers as often as they compute: four at once use two processors well.
  maxWorkers: 4,
  // A worker keeps some of what each file loaded; one that keeps too much ends, and the next file gets a new one.
  workerIdleMemoryLimit: '1000MB',
  reporters: ['default', '<rootDir>/test/support/outcomes-reporter.ts'],
};
