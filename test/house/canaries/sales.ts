import { createGiftCard } from '../../../db/gift-cards/create-gift-card.ts';
import { money } from '../../../domain/money.ts';
import { aReceipt } from '../../support/builders/counter.ts';
import { aPostedSale } from '../../support/builders/posted-sale.ts';
import type { Place } from './people.ts';

interface Till extends Place {
  terminalId: number;
  customerId: number;
}

/** A sold, paid and handed-over order. */
async function aSale({ teller: { post } }: Place, more: Record<string, unknown>) {
  const order = await post('/V1/orders', { entity: aPostedSale(more) });
  await post(`/V1/order/${order.entity_id}/invoice`, { capture: true });
  await post(`/V1/order/${order.entity_id}/ship`, {});
  return { orderId: order.entity_id as number, itemId: order.items[0].item_id as number };
}

/** Gift cards are looked up, spent, given back to, and mistyped. */
export async function giftCards(till: Till): Promise<{ spent: string; shown: string }> {
  const { api, canaries, teller } = till;
  const code = async () => {
    const made = canaries.hatch('gift card code', 'GC').toUpperCase();
    const amount = money('300');
    await createGiftCard(api.orm.em.fork(), { code: made, websiteId: 1, amount, expiresAt: null, reason: 'bought' });
    return made;
  };
  const [spent, shown] = [await code(), await code()];
  await teller.call('GET', `/V1/pos/credits/giftcard/${shown}`);
  await teller.call('GET', `/V1/pos/credits/giftcard/${canaries.hatch('unknown gift card code', 'GCX')}`);
  const asked = { credit_type: 'gift_card', code: shown, subtotal: 10, grand_total: 10 };
  await teller.post('/V1/pos/credits/applicable', asked);
  await teller.post('/V1/pos/credits/applicable', { ...asked, code: { code: shown }, grand_total: 'x' });
  return { spent, shown };
}

/** A sale paid by gift card in part, its receipt, a return of it with all that can go wrong; answers its ids. */
export async function aSaleAndReturn(till: Till, { spent, shown }: { spent: string; shown: string }) {
  const { canaries, customerId, terminalId, locationId, teller } = till;
  const { call, post } = teller;
  const credit = { credit_type: 'gift_card', code: spent, amount: 30 };
  const extension = { pos_sale_id: 'sale-1', pos_applied_credits: [credit] };
  const { orderId, itemId } = await aSale(till, { customer_id: customerId, extension_attributes: extension });
  const tooMuch = { pos_applied_credits: [{ ...credit, code: shown, amount: 5_000 }] };
  await post('/V1/orders', { entity: aPostedSale({ extension_attributes: tooMuch }) });
  const token = canaries.plant('receipt token', 'c'.repeat(46) + canaries.hatch('receipt', '').slice(0, 18));
  const receipt = aReceipt(terminalId, { sale_id: 'sale-1', receipt_token: token });
  await call('GET', `/V1/pos/receipts/${(await post('/V1/pos/receipts', { receipt })).receipt_id}`);
  const items = JSON.stringify([{ order_item_id: itemId, qty_requested: 1, resolution: 'Refund' }]);
  const wanted = { orderId, items, autoApprove: true, locationId, refundMethod: 'store_credit' };
  const { id: rmaId } = await post('/V1/pos/rma', wanted);
  // No gateway has this payment: refused.
  await post(`/V1/pos/rma/${rmaId}/settle`, { method: 'original_payment', rawPayload: 'approved' });
  await post(`/V1/pos/rma/${rmaId}/settle`, { method: 'store_credit' });
  const back = { orderId: String(orderId), creditType: 'gift_card', provider: '', code: shown, reason: 'x' };
  await post('/V1/pos/credits/refund', { ...back, amount: 1 });
  await post('/V1/pos/credits/refund', { ...back, amount: 9_999 });
  const unknown = canaries.hatch('unknown gift card code', 'GCY');
  await post('/V1/pos/credits/refund', { ...back, amount: 1, code: unknown });
  for (const path of [
    `orders/${orderId}`,
    `orders/${orderId}/comments`,
    `pos/rma/order/${orderId}`,
    `pos/rma/${rmaId}`,
  ])
    await call('GET', `/V1/${path}`);
  return { orderId, rmaId: rmaId as number };
}

/** A layaway with a gift card in it is paid in part and cancelled; answers its order. */
export async function aLayaway({ customerId, teller: { post } }: Till, { spent }: { spent: string }): Promise<number> {
  const credit = { credit_type: 'gift_card', code: spent, amount: 10 };
  const extension_attributes = { pos_layaway_status: 'open', pos_applied_credits: [credit] };
  const state = { state: 'pending_payment', status: 'pending_payment' };
  const entity = aPostedSale({ ...state, customer_id: customerId, extension_attributes });
  const { entity_id: orderId } = await post('/V1/orders', { entity });
  await post(`/V1/pos/layaways/${orderId}/payments`, { amount: 20, paymentMethod: 'cash', reference: 'r1' });
  await post(`/V1/pos/layaways/${orderId}/cancel`, { feePercent: 0, reason: 'moved away' });
  return orderId;
}

/** A card sale goes back by its gateway, which is handed our keys. */
export async function anOnlineReturn(till: Till): Promise<void> {
  const payment = { method: 'provider_b', last_trans_id: 'pay-1', amount_ordered: 108 };
  const { orderId, itemId } = await aSale(till, { payment });
  const items = JSON.stringify([{ order_item_id: itemId, qty: 1 }]);
  await till.teller.post('/V1/pos/rma/process', { orderId, items, resolution: 'refund', isOnline: true });
}
