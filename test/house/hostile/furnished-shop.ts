import { randomUUID } from 'node:crypto';
import type { TestApi } from '../../support/api.ts';
import { aShopperWithMugs } from '../../support/builders/cart.ts';
import { aReceipt, aStaffMember, aTerminal } from '../../support/builders/counter.ts';
import { aGiftCard } from '../../support/builders/gift-card.ts';
import { anOrder } from '../../support/builders/order.ts';
import { pointsOn } from '../../support/builders/points.ts';
import { refundPieces } from '../../support/builders/refunded-sale.ts';
import { aRefundAttempt, aReturn } from '../../support/builders/return.ts';
import { aCustomer } from '../../support/builders/wallet.ts';

/** Everything a shop has, one of each, so that each route has something to work on. */
export async function furnishedShop(api: TestApi, { locationId }: { locationId: number }) {
  const em = () => api.orm.em.fork();
  await pointsOn(em());
  await em().execute('update inventory_source_item set quantity = 1000000');
  const sale = () => anOrder(em());
  const unpaid = () => anOrder(em(), { paid: false, shipped: false });
  const customerId = await aCustomer(em());
  const bought = await anOrder(em(), { customerId });
  await refundPieces(em(), bought, 1);
  const terminal = await aTerminal(em(), { locationId });
  const member = await aStaffMember(em());
  const code = await aGiftCard(em(), { amount: '500' });
  const shopper = await aShopperWithMugs(api);
  const { attemptId } = await aRefundAttempt(api.orm, { locationId });
  const call = (path: string, body: unknown) => api.call('POST', path, { token: api.tokens.admin, body });
  const receipt = (await call('/V1/pos/receipts', { receipt: aReceipt(terminal.terminalId) })).body;
  const aHeldCart = { locationId, cartUuid: randomUUID(), cartData: '{"items":[]}', itemCount: 1, grandTotal: 1 };
  const held = (await call('/V1/pos/held-carts', { heldCart: aHeldCart })).body;
  const ids: Record<string, string | number> = {
    orderId: bought.orderId,
    customerId,
    websiteId: 1,
    locationId,
    terminalId: terminal.terminalId,
    staffId: member.staffId,
    roleId: member.roleId,
    receiptId: receipt.receipt_id,
    incrementId: 'none',
    heldCartId: held.held_cart_id,
    cartUuid: aHeldCart.cartUuid,
    attemptId,
    sku: 'MUG',
    stockId: 1,
    sourceCode: 'floor',
    countryId: 'US',
    itemId: 1,
    couponCode: 'NONE',
    type: 'website',
    code,
    id: 1,
  };
  const aMove = (more: object) => ({ customerId, websiteId: 1, reason: 'goodwill', ...more });
  let last = 0;
  const openReturn = async () => (last = (await aReturn(api.orm, { locationId })).returnId);
  const lastItem = async () =>
    (
      await em().execute<{ item_id: number }[]>(
        'select entity_id as item_id from sale_return_item where return_id = ?',
        [last],
      )
    )[0]?.item_id;
  const setStatus = async (status: string) => {
    const returnId = await openReturn();
    await api.call('PUT', `/V1/pos/rma/${returnId}/status`, { token: api.tokens.register, body: { status } });
    return returnId;
  };
  const approved = () => setStatus('approved');
  const parked = async () => {
    const { orderId, itemIds } = await sale();
    const items = JSON.stringify([{ order_item_id: itemIds[0], qty_requested: 1, resolution: 'Refund' }]);
    const body = { orderId, items, autoApprove: true, locationId, refundMethod: 'cash' };
    return (await call('/V1/pos/rma', body)).body.id as number;
  };

  return {
    api,
    locationId,
    em,
    sale,
    unpaid,
    customerId,
    bought,
    terminal,
    member,
    code,
    shopper,
    receipt,
    aHeldCart,
    held,
    ids,
    aMove,
    openReturn,
    lastItem,
    approved,
    parked,
  };
}
export type FurnishedShop = Awaited<ReturnType<typeof furnishedShop>>;
