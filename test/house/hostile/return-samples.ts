import { anOrder } from '../../support/builders/order.ts';
import { aRefundAttempt } from '../../support/builders/return.ts';
import type { FurnishedShop } from './furnished-shop.ts';
import { InnerJson } from './sample-body.ts';
import type { Wanted } from './wanted.ts';

/** For each route of returns a call that it can carry out, on a return of its own. */
export const returnSamples = (shop: FurnishedShop): Record<string, () => Wanted | Promise<Wanted>> => {
  const { api, locationId, sale, openReturn, lastItem, approved, parked } = shop;
  const soldByCard = () => anOrder(api.orm.em.fork(), { method: 'provider_a', lastTransId: 'pay_1' });
  return {
    'POST /V1/pos/rma': async () => {
      const { orderId, itemIds } = await sale();
      const row = { order_item_id: itemIds[0], qty_requested: 1, resolution: 'Refund' };
      return { body: { orderId, items: new InnerJson([row]), autoApprove: true, locationId, refundMethod: 'cash' } };
    },
    'POST /V1/pos/rma/process': async () => {
      const { orderId, itemIds } = await sale();
      return {
        body: { orderId, items: new InnerJson([{ order_item_id: itemIds[0], qty: 1 }]), resolution: 'refund' },
      };
    },
    'POST /V1/pos/rma/:rmaId/process': async () => ({
      params: { rmaId: await openReturn() },
      body: { resolution: 'refund' },
    }),
    'PUT /V1/pos/rma/:rmaId/status': async () => ({
      params: { rmaId: await openReturn() },
      body: { status: 'approved' },
    }),
    'POST /V1/pos/rma/:rmaId/comment': async () => ({ params: { rmaId: await openReturn() }, body: { comment: 'x' } }),
    'POST /V1/pos/rma/:rmaId/receive': async () => ({
      params: { rmaId: await approved() },
      body: { itemsJson: new InnerJson([{ rma_item_id: await lastItem(), qty_received: 1 }]), locationId },
    }),
    'POST /V1/pos/rma/:rmaId/resolve': async () => ({
      params: { rmaId: await approved() },
      body: { resolutionsJson: new InnerJson([{ rma_item_id: await lastItem(), resolution_mode: 'refund' }]) },
    }),
    'POST /V1/pos/rma/:rmaId/settle': async () => ({
      params: { rmaId: await parked() },
      body: { method: 'cash', reference: 'x', rawPayload: new InnerJson({ a: 1 }) },
    }),
    'POST /V1/pos/rma/:rmaId/cancel-refund': async () => ({
      params: { rmaId: await parked() },
      body: { comment: 'x' },
    }),
    'POST /V1/pos/rma/:rmaId/close': async () => ({ params: { rmaId: await openReturn() }, body: { comment: 'x' } }),
    'POST /V1/returns': async () => {
      const { orderId, itemIds } = await sale();
      const item = { order_item_id: itemIds[0], qty_requested: 1, reason: 'x', condition: 'Opened' };
      return { body: { rmaDataObject: { order_id: orderId, items: [{ ...item, resolution: 'Refund' }] } } };
    },
    'PUT /V1/returns/:id': async () => ({
      params: { id: await openReturn() },
      body: { rmaDataObject: { status: 'approved', items: [{ status: 'approved' }] } },
    }),
    'POST /V1/invoice/:invoiceId/refund': async () => ({
      params: { invoiceId: (await soldByCard()).invoiceId ?? 0 },
      body: { isOnline: true },
    }),
    'POST /V1/creditmemo/refund': async () => {
      const { orderId, invoiceId, itemIds } = await soldByCard();
      const items = [{ order_item_id: itemIds[0], qty: 1, row_total: 50, tax_amount: 4 }];
      const sums = { subtotal: 50, tax_amount: 4, grand_total: 54 };
      return { body: { creditmemo: { order_id: orderId, invoice_id: invoiceId, ...sums, items } } };
    },
    'POST /V1/pos/rma/refund-attempts/:attemptId/resolve': async () => ({
      params: { attemptId: (await aRefundAttempt(api.orm, { locationId })).attemptId },
      body: { resolution: 'not_refunded', staffName: 'Ada', note: 'x' },
    }),
    'POST /V1/pos/rma/refund-attempts/:attemptId/reconcile': async () => ({
      params: { attemptId: (await aRefundAttempt(api.orm, { locationId })).attemptId },
    }),
  };
};
