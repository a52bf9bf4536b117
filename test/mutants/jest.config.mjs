import config from '../../jest.config.mjs';

const { globalTeardown: _stay, ...rest } = config;

/** The servers are there already, and stay; the laboratory reads the report. */
export default {
  ...rest,
  rootDir: '../..',
  globalSetup: '<rootDir>/test/mutants/bundle-only.ts',
  maxWorkers: 1,
  reporters: [],
  // A test that fails may leave a door open, and the report is written by then.
  forceExit: true,
};
