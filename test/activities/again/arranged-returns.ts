import { randomUUID } from 'node:crypto';
import { zero, pieces } from '../../../domain/money.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { aRefundAttempt, aRequestedReturn, aReturn } from '../../support/builders/return.ts';
import {
  aCollapse,
  aCommand,
  aCreation,
  aNotedRequest,
  aSettleRequest,
  aStatusRequest,
  sealed,
} from '../../support/builders/return-requests.ts';
import { booksOf } from '../../support/books.ts';
import { inMinutes } from '../../support/moments.ts';
import type { Activities, Arrange, Worker } from './everything-a-worker-can-do.ts';

async function aParkedReturn(worker: Worker) {
  const { orm, activities, locationId } = worker;
  const parked = await aReturn(orm, { locationId, refundMethod: 'cash' });
  await activities.takeUpReturn({ returnId: parked.returnId });
  return parked;
}

const byCard = { method: 'provider_a', lastTransId: 'pay_1' };

async function aRun({ orm }: Worker, more: Partial<Parameters<typeof aProcess>[1]> = {}) {
  const { orderId, itemIds } = await anOrder(orm.em.fork(), byCard);
  const { processId } = await aProcess(orm, { orderId, items: [aProcessedItem(itemIds[0]!)], ...more });
  return { processId };
}

/** Returns, collapsed returns and their refunds. */
export const returns = {
  createReturn: async ({ orm, activities, locationId }) => {
    const words = sealed({ comment: 'Too big', goods: [{ reason: 'Size', condition: 'Unopened' }] });
    const wish = { locationId, refundMethod: 'original_payment', words } as const;
    const creation = await aCreation(orm, await anOrder(orm.em.fork(), byCard), wish);
    return () => activities.createReturn(creation);
  },
  collapseReturn: async ({ orm, activities }) => {
    const words = sealed({ comment: 'Too big', goods: [{ reason: 'Size', condition: 'Unopened' }] });
    const collapse = await aCollapse(orm, await anOrder(orm.em.fork()), { words });
    return () => activities.collapseReturn(collapse);
  },
  takeUpReturn: async ({ orm, activities, locationId }) => {
    const { returnId } = await aReturn(orm, { locationId });
    return () => activities.takeUpReturn({ returnId });
  },
  settleReturn: async (worker) => {
    const { returnId } = await aParkedReturn(worker);
    const request = aSettleRequest({ method: 'original_payment' });
    return () => worker.activities.settleReturn({ returnId, request });
  },
  openFastTrack: async ({ orm, activities }) => {
    const { returnId } = await aRequestedReturn(orm);
    const request = { ...aCommand(), resolution: 'refund', isOnline: false } as const;
    return () => activities.openFastTrack({ returnId, request });
  },
  openProcess: async ({ orm, activities }) => {
    const { request } = await aCollapse(orm, await anOrder(orm.em.fork()), { words: sealed({ comment: 'Too big' }) });
    return () => activities.openProcess(request);
  },
  setReturnStatus: async ({ orm, activities }) => {
    const { returnId } = await aRequestedReturn(orm);
    const request = aStatusRequest('approved', { comment: 'Fine by me' });
    return () => activities.setReturnStatus({ returnId, request });
  },
  receiveReturn: async ({ orm, activities, locationId }) => {
    const { returnId } = await aRequestedReturn(orm);
    await activities.setReturnStatus({ returnId, request: aStatusRequest('approved') });
    const [item] = await booksOf(() => orm).itemsOf(returnId, 'entity_id');
    const line = {
      rmaItemId: item!.entity_id,
      inspection: null,
      condition: null,
      qtyReceived: null,
      returnToStock: null,
    };
    const request = { ...aCommand(), locationId, lines: [line] };
    return () => activities.receiveReturn({ returnId, request });
  },
  resolveReturn: async (worker) => {
    const { returnId } = await aParkedReturn(worker);
    const [item] = await booksOf(() => worker.orm).itemsOf(returnId, 'entity_id');
    const line = { rmaItemId: item!.entity_id, mode: 'refund', refundMethod: 'cash' } as const;
    const request = { ...aCommand(), resolutions: [line] };
    return () => worker.activities.resolveReturn({ returnId, request });
  },
  cancelRefund: async (worker) => {
    const { returnId } = await aParkedReturn(worker);
    const request = aNotedRequest({ comment: 'She wants to think' });
    return () => worker.activities.cancelRefund({ returnId, request });
  },
  closeReturn: async (worker) => {
    const { returnId } = await aParkedReturn(worker);
    const request = aNotedRequest({ comment: 'She keeps it' });
    return () => worker.activities.closeReturn({ returnId, request });
  },
  offerReturn: async ({ orm, activities, locationId }) => {
    const { returnId } = await aReturn(orm, { locationId });
    return () => activities.offerReturn({ returnId });
  },
  offerRun: async (worker) => {
    const run = await aRun(worker);
    return () => worker.activities.offerRun({ ...run, providerCode: 'builtin' });
  },
  passProcess: async (worker) => {
    const { processId } = await aRun(worker);
    await booksOf(() => worker.orm).change('return_process', { process_id: processId }, { is_fast_track: true });
    return () => worker.activities.passProcess({ processId });
  },
  settleProcess: async (worker) => {
    const run = await aRun(worker);
    await worker.activities.offerRun({ ...run, providerCode: 'builtin' });
    return () => worker.activities.settleProcess(run);
  },
  startProcessRefund: async (worker) => {
    const run = await aRun(worker, { isOnline: true, canRefundThrough: () => true });
    await worker.activities.offerRun({ ...run, providerCode: 'builtin' });
    return () => worker.activities.startProcessRefund(run);
  },
  refundThroughGateway: async ({ orm, activities, locationId }) => {
    const { attemptId } = await aRefundAttempt(orm, { locationId, state: 'started', claimedSecondsAgo: null });
    return () => activities.refundThroughGateway({ attemptId });
  },
  openDocumentRefund: async ({ orm, activities }) => {
    const { orderId, invoiceId, itemIds } = await anOrder(orm.em.fork(), {
      method: 'provider_a',
      lastTransId: 'pay_1',
    });
    const items = [{ orderItemId: itemIds[0]!, qty: pieces(1) }];
    const refund = {
      ...{ orderId, invoiceId: invoiceId!, operationKey: randomUUID(), beginBefore: inMinutes(5).toISOString() },
      figures: { from: 'collectors', items, adjustmentPositive: zero, adjustmentNegative: zero } as const,
      returnToStockItemIds: [],
    };
    return () => activities.openDocumentRefund(refund);
  },
  recordFinding: async ({ orm, activities, locationId }) => {
    const { attemptId } = await aRefundAttempt(orm, { locationId });
    const finding = { evidence: 'refunded', gatewayReference: `found-${attemptId}` } as const;
    return () => activities.recordFinding({ attemptId, finding });
  },
  recordSecondLook: async ({ orm, activities, locationId }) => {
    const { attemptId } = await aRefundAttempt(orm, { locationId });
    const wrong = { evidence: 'not_refunded', resolvedBy: 'Ada', resolutionNote: 'not in the portal' } as const;
    await activities.recordFinding({ attemptId, finding: wrong });
    const finding = { evidence: 'refunded', gatewayReference: `seen-${attemptId}` } as const;
    return () => activities.recordSecondLook({ attemptId, finding });
  },
} satisfies Partial<Record<keyof Activities, Arrange>>;
