import { randomUUID } from 'node:crypto';
import type { Place } from './people.ts';

/** What a register could send a card number in by mistake: `path`, and a body with the sentence in it. */
const slips = (known: { orderId: number; rmaId: number; locationId: number; customerId: number }) => {
  const { orderId, rmaId, locationId, customerId } = known;
  const wallet = { customerId, websiteId: 1 };
  const wanted = { orderId, customerId, items: JSON.stringify([{ order_item_id: 1, qty_requested: 1 }]) };
  const processed = { ...wanted, items: JSON.stringify([{ order_item_id: 1, qty: 1 }]) };
  return (sentence: string): readonly (readonly [path: string, body: object])[] => [
    ['/V1/vendor-store-credit/credit', { ...wallet, amount: 1, reason: sentence }],
    ['/V1/vendor-store-credit/debit', { ...wallet, amount: 1, reason: sentence }],
    ['/V1/vendor-store-credit/adjust', { ...wallet, delta: 1, reason: sentence }],
    [
      '/V1/pos/held-carts',
      { heldCart: { location_id: locationId, cart_uuid: randomUUID(), cart_data: '{}', hold_comment: sentence } },
    ],
    [`/V1/orders/${orderId}/comments`, { statusHistory: { comment: sentence } }],
    [`/V1/order/${orderId}/invoice`, { comment: { comment: sentence } }],
    [`/V1/pos/rma/${rmaId}/comment`, { comment: sentence }],
    ['/V1/pos/rma', { ...wanted, comment: sentence }],
    ['/V1/pos/rma/process', { ...processed, resolution: 'refund', isOnline: false, comment: sentence }],
    ['/V1/pos/rma/refund-attempts/1/resolve', { resolution: 'refunded', staffName: 'Ada', note: sentence }],
  ];
};

/**
 * Types a card number where a sentence belongs, as on the card and in one piece; answers what was not refused for it
 * with 400.
 */
export async function cardNumbers(
  { canaries, teller }: Place,
  known: Parameters<typeof slips>[0],
): Promise<readonly string[]> {
  const numbers = [
    canaries.plant('card number', '4539 5787 6362 1486'),
    canaries.plant('card number', '5425233430109903'),
  ];
  const taken: string[] = [];
  for (const number of numbers)
    for (const [path, body] of slips(known)(`paid with ${number}, she said`)) {
      const { status, body: said } = await teller.call('POST', path, body);
      if (status !== 400 || !/must not be stored/.test(said.message)) taken.push(`${path}: ${status} ${said.message}`);
    }
  return taken;
}
