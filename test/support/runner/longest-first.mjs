import Sequencer from '@jest/test-sequencer';

/** Tests that start servers, kill workers or wait for a clock. */
const waiting =
  /\/test\/(?:workflows|local|simulation|crash|cli|providers\/(?:receipts|documents))\/|\/house\/patterns\//;

/** Begins with the tests that take longest, so that no worker is left alone with one of them in the end. */
class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(({ path }) => waiting.test(path)), ...sorted.filter(({ path }) => !waiting.test(path))];
  }
}

export { LongestFirst as default, LongestFirst as 'module.exports' };
