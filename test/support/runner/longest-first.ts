import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that start servers, kill workers or wait for a clock. */
const waiting =
  /\/test\/(?:workflows|local|simulation|crash|cli|providers\/(?:receipts|documents))\/|\/house\/patterns\//;

/** Begins with the tests that take longest, so that no worker is left alone with one of them in the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(tests: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(tests);
    const isWaiting = ({ moduleId }: TestSpecification) => waiting.test(moduleId);
    return [...sorted.filter(isWaiting), ...sorted.filter((test) => !isWaiting(test))];
  }
}
