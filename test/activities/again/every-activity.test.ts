import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { returns } from './arranged-returns.ts';
import { otherWork } from './arranged-work.ts';
import {
  asActivity,
  aWorker,
  differenceBy,
  type Activities,
  type Arrange,
  type Worker,
} from './everything-a-worker-can-do.ts';

/**
 * They only look, or tell Temporal. `deliverCreditReturns` is for providers outside, whose tests count what those were
 * told.
 */
type WithoutWrites =
  | `load${string}`
  | `find${string}`
  | 'readReturn'
  | 'lookAtLayaway'
  | 'lookAtSession'
  | 'lookUpRefund'
  | 'planTelemetry'
  | 'wakeWork'
  | 'takeUpLostRuns'
  | 'compareRuns'
  | 'deliverCreditReturns';

const writes = { ...returns, ...otherWork };
/** An activity that is missing above does not compile here. */
const all: Record<Exclude<keyof Activities, WithoutWrites>, Arrange> = writes;

let worker: Worker;
beforeAll(async () => {
  worker = await aWorker();
});
afterAll(() => worker.close());

test.each(Object.entries(all))('%s, eight times at once and again, leaves what one time leaves', async (_, arrange) => {
  // What other work left to do is done first.
  await asActivity(await arrange(worker));
  const one = await arrange(worker);
  const left = await differenceBy(worker, () => asActivity(one));
  const other = await arrange(worker);
  const work = () => asActivity(other);

  const leftByMany = await differenceBy(worker, async () => {
    await eightAtOnce(work);
    await work();
  });

  expect(left).not.toEqual({});
  expect(leftByMany).toEqual(left);
  await booksOf(() => worker.orm).booksHold();
});
