import { beforeAll, expect, test } from '@jest/globals';
import { createProcessActivities, type ProcessActivities } from '../../../activities/process.ts';
import { refundOrder } from '../../../db/platform/credit-memos/refund-invoice.ts';
import { leaveUnattempted, refuseProcess } from '../../../db/process/process-steps.ts';
import { verify } from '../../../books/verify/verify.ts';
import { zero } from '../../../domain/money.ts';
import type { Refusal } from '../../../domain/errors.ts';
import type { ReturnsProviders } from '../../../providers/returns.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { aCollapse, refusedTooLate, sealed, tooLate } from '../../support/builders/return-requests.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { builtInReturns, noCredits, silent, testSecrets } from '../../support/fakes.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';

const orm = useDatabase();
let activities: ProcessActivities;
beforeAll(async () => {
  await aShop(fork());
  activities = activitiesWith(builtInReturns);
});

const { fork, find, processesOf } = booksOf(() => orm);

const activitiesWith = (returns: ReturnsProviders) =>
  createProcessActivities({
    orm,
    providers: {
      secrets: testSecrets,
      credits: noCredits,
      returns,
      gateways: { for: () => Promise.resolve(undefined) },
    },
    log: silent,
    clock: () => new Date(),
    gatewayTimeoutSeconds: 5,
    reconcileAfterSeconds: 60,
  });

const aRun = async () => {
  const { orderId, itemIds } = await anOrder(fork());
  return aProcess(orm, { orderId, items: [aProcessedItem(itemIds[0]!)] });
};
/** A worker that died after the refusal was committed, before it told its workflow. */
const aRefusedRun = async (refusal: Refusal) => {
  const { processId } = await aRun();
  await refuseProcess(orm.em, { processId, state: 'refused', refusal });
  return { processId };
};
const refusal = { status: 400, message: 'The provider does not take this product.' };

test('a refusal that a dead worker left behind is told to the next caller', async () => {
  const run = await aRefusedRun(refusal);
  expect(await activities.offerRun({ ...run, providerCode: 'builtin' })).toEqual({ refused: refusal });
  expect(await activities.settleProcess(run)).toEqual({ refused: refusal });
});

test('a run that no provider took on is not refused', async () => {
  const run = await aRun();
  await leaveUnattempted(orm.em, run.processId);
  expect(await activities.settleProcess(run)).toEqual({ state: 'unattempted' });
});

test('a run that was taken, and settled, is so when it is asked for again', async () => {
  const run = await aRun();
  const offer = { ...run, providerCode: 'builtin' };
  expect([await activities.offerRun(offer), await activities.offerRun(offer)]).toEqual([
    { isTaken: true },
    { isTaken: true },
  ]);
  expect([await activities.settleProcess(run), await activities.settleProcess(run)]).toEqual([
    { state: 'done' },
    { state: 'done' },
  ]);
  expect(await activities.offerRun(offer)).toEqual({ isTaken: true });
});

test('a run is asked for when it begins: a memo made before its provider took it is no fault of its return', async () => {
  const { orderId, itemIds } = await anOrder(fork());
  const run = await aProcess(orm, { orderId, items: [aProcessedItem(itemIds[0]!)] });
  const byHand = { items: [], adjustmentPositive: zero, adjustmentNegative: zero, returnToStockItemIds: [] };
  await refundOrder(fork(), { ...byHand, orderId });

  await activities.offerRun({ ...run, providerCode: 'builtin' });
  await activities.settleProcess(run);
  expect((await verify(fork(), { lookAgainAfterMs: 0 })).map(({ id }) => id)).toEqual([]);
});

test('a provider that is gone passes', async () => {
  expect(await activities.offerRun({ ...(await aRun()), providerCode: 'nobody' })).toEqual({ isTaken: false });
});

test('a provider knows a run by a name of ours: one that a register chose could be that of another return', async () => {
  const keys: string[] = [];
  const builtIn = builtInReturns.byCode('builtin')!;
  const takeOn: typeof builtIn.takeOn = (request) => {
    keys.push(request.requestKey);
    return builtIn.takeOn(request);
  };
  const other = activitiesWith({ ...builtInReturns, byCode: () => ({ ...builtIn, takeOn }) });
  const { orderId, itemIds } = await anOrder(fork());
  const run = await aProcess(orm, { orderId, items: [aProcessedItem(itemIds[0]!)], requestKey: 'return-17' });

  await other.offerRun({ ...run, providerCode: 'builtin' });

  expect(keys).toEqual([expect.stringMatching(new RegExp(`^process-${run.processId}-[0-9a-f]{8}-[0-9a-f]{16}$`))]);
});

test('a run is written down with what people said, which came sealed, and once', async () => {
  const words = sealed({ comment: 'Too big', goods: [{ reason: 'Size', condition: 'Damaged' }] });
  const { request } = await aCollapse(orm, await anOrder(fork()), { words });

  const answers = await eightAtOnce(() => activities.openProcess(request));

  const runs = await processesOf(request.orderId, 'process_id', 'comment', 'author');
  expect(runs).toEqual([{ process_id: expect.any(Number), comment: 'Too big', author: 'Front register' }]);
  const { process_id: processId } = runs[0]!;
  expect(answers).toMatchObject(answers.map(() => ({ processId })));
  expect(await find('return_process_item', { process_id: processId }, 'reason', 'condition')).toEqual([
    { reason: 'Size', condition: 'Damaged' },
  ]);
});

test('a run for which nobody waits any more is not written; one that is there is answered', async () => {
  const { request } = await aCollapse(orm, await anOrder(fork()));
  expect(await activities.openProcess({ ...request, ...tooLate() })).toEqual({ refused: refusedTooLate });
  expect(await processesOf(request.orderId)).toEqual([]);

  const opened = await activities.openProcess(request);
  expect(await activities.openProcess({ ...request, ...tooLate() })).toEqual({
    ...opened,
    isReused: true,
    returnId: null,
    isHeldUp: false,
  });
});

test('a run of an order that nobody knows is refused', async () => {
  const { request } = await aCollapse(orm, await anOrder(fork()));
  expect(await activities.openProcess({ ...request, orderId: 999_999 })).toMatchObject({ refused: { status: 404 } });
});
