import { randomUUID } from 'node:crypto';
import { zero } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { plainSettlement } from '../../../domain/refunds/quote-refund.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aProcess, aProcessedItem } from '../../support/builders/process.ts';
import { aRefundAttempt, aRequestedReturn, aReturn } from '../../support/builders/return.ts';
import { booksOf } from '../../support/books.ts';
import { inMinutes } from '../../support/moments.ts';
import type { Activities, Arrange, Worker } from './everything-a-worker-can-do.ts';

async function aParkedReturn(worker: Worker) {
  const { orm, activities, locationId } = worker;
  const parked = await aReturn(orm, { locationId, refundMethod: 'cash' });
  await activities.initialiseReturn({ returnId: parked.returnId });
  return parked;
}

async function aRun({ orm }: Worker, more: Partial<Parameters<typeof aProcess>[1]> = {}) {
  const { orderId, itemIds } = await anOrder(orm.em.fork(), { method: 'provider_a', lastTransId: 'pay_1' });
  const { processId } = await aProcess(orm, { orderId, items: [aProcessedItem(itemIds[0]!)], ...more });
  return { processId };
}

/** Returns, collapsed returns and their refunds. */
export const returns = {
  initialiseReturn: async ({ orm, activities, locationId }) => {
    const { returnId } = await aReturn(orm, { locationId });
    return () => activities.initialiseReturn({ returnId });
  },
  bookSettlement: async (worker) => {
    const { returnId } = await aParkedReturn(worker);
    const settlement = { returnId, method: 'cash', options: plainSettlement, requestId: 'r' } as const;
    return () => worker.activities.bookSettlement(settlement);
  },
  openRefundAttempt: async (worker) => {
    const { returnId } = await aParkedReturn(worker);
    return () => worker.activities.openRefundAttempt({ returnId, options: plainSettlement });
  },
  setReturnStatus: async ({ orm, activities }) => {
    const { returnId } = await aRequestedReturn(orm);
    await activities.initialiseReturn({ returnId });
    return () => activities.setReturnStatus({ returnId, status: 'approved', noteId: null });
  },
  receiveReturn: async ({ orm, activities, locationId }) => {
    const { returnId } = await aRequestedReturn(orm);
    await activities.initialiseReturn({ returnId });
    await activities.setReturnStatus({ returnId, status: 'approved', noteId: null });
    const [item] = await booksOf(() => orm).itemsOf(returnId, 'entity_id');
    const line = {
      rmaItemId: item!.entity_id,
      inspection: null,
      condition: null,
      qtyReceived: null,
      returnToStock: null,
    };
    return () => activities.receiveReturn({ returnId, locationId, lines: [line] });
  },
  resolveReturn: async (worker) => {
    const { returnId } = await aParkedReturn(worker);
    const [item] = await booksOf(() => worker.orm).itemsOf(returnId, 'entity_id');
    const line = { rmaItemId: item!.entity_id, mode: 'refund', refundMethod: 'cash' } as const;
    return () => worker.activities.resolveReturn({ returnId, resolutions: [line] });
  },
  cancelRefund: async (worker) => {
    const { returnId } = await aParkedReturn(worker);
    return () => worker.activities.cancelRefund({ returnId, noteId: null });
  },
  closeReturn: async (worker) => {
    const { returnId } = await aParkedReturn(worker);
    return () => worker.activities.closeReturn({ returnId, noteId: null });
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
} satisfies Partial<Record<keyof Activities, Arrange>>;
