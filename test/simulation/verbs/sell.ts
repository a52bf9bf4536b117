import { randomUUID } from 'node:crypto';
import { money, zero } from '../../../domain/money.ts';
import { aPostedLine, aPostedSale } from '../../support/builders/posted-sale.ts';
import { aCustomerWithCredit } from '../../support/builders/credit.ts';
import { offer, type Account, type Hand } from './account.ts';

const kinds = ['cash', 'card', 'card', 'credit', 'layaway', 'layaway', 'due', 'open'] as const;
type Kind = (typeof kinds)[number];

export const wallet = 40;

/** Cents of the goods that call the gateway's moods up for the refund of one piece; most sales are ordinary. */
const cents = [0, 0, 0, 0, 51, 52, 61, 64, 65, 71, 72] as const;

/** What a total has beside its lines: nothing, cash that was rounded down or up, a tip. */
const besides = [0, 0, 0, -0.03, 0.02, 2] as const;

/**
 * Sells two mugs with shipping in one of the ways a register knows, in either currency; sometimes an old one is given
 * in.
 */
export async function sell(hand: Hand): Promise<Account> {
  const { lane, chance } = hand;
  const kind: Kind = chance.oneOf(kinds);
  const rate = chance.percent(30) ? 1.36 : 1;
  const customerId = await aCustomerWithCredit(lane.orm, String(wallet));
  const piece = 10 + chance.below(10) + chance.oneOf(cents) / 100;
  const shipping = chance.oneOf([0, 4, 6]);
  const tradeIn = chance.percent(15) ? 5 : 0;
  const body = sale({ kind, rate, customerId, piece, shipping, tradeIn, beside: chance.oneOf(besides) });
  hand.story = [];
  const answer = await hand.press('POST', '/V1/orders', { entity: body });
  if (answer.status !== 200) throw new Error(`a ${kind} sale was refused: ${JSON.stringify(answer.body)}`);
  const { entity_id: orderId, increment_id: incrementId, grand_total: grandTotal, items } = answer.body;
  const account: Account = {
    orderId,
    incrementId,
    itemId: items[0].item_id,
    customerId,
    kind,
    grandTotal,
    rate,
    isByCard: kind === 'card',
    credit: kind === 'credit' ? money('12') : zero,
    offered: zero,
    issuedAsCredit: zero,
    returns: [],
    verbs: 0,
    story: hand.story,
  };
  if (kind !== 'layaway' && kind !== 'due' && kind !== 'open')
    await hand.press('POST', `/V1/order/${orderId}/invoice`, { capture: true });
  if (kind !== 'layaway' && chance.percent(70)) await hand.press('POST', `/V1/order/${orderId}/ship`, {});
  if (kind !== 'layaway' && kind !== 'due' && kind !== 'open') offer(account, grandTotal);
  return account;
}

interface Wanted {
  kind: Kind;
  rate: number;
  customerId: number;
  piece: number;
  shipping: number;
  tradeIn: number;
  beside: number;
}

const exact = (value: number) => Math.round(value * 10_000) / 10_000;

function sale({ kind, rate, customerId, piece, shipping, tradeIn, beside }: Wanted): Record<string, unknown> {
  const inOrder = (base: number) => Math.round(base * rate * 100) / 100;
  const both = (name: string, base: number) => ({ [`base_${name}`]: exact(base), [name]: inOrder(base) });
  const total = {
    base_grand_total: exact(piece * 2 + shipping - tradeIn + beside),
    grand_total: exact(inOrder(piece * 2) + inOrder(shipping) - inOrder(tradeIn) + inOrder(beside)),
  };
  const line = (price: number, qty: number) =>
    aPostedLine({
      qty_ordered: qty,
      ...both('price', price),
      ...both('original_price', price),
      ...both('row_total', price * qty),
      ...both('price_incl_tax', price),
      ...both('row_total_incl_tax', price * qty),
      ...both('tax_amount', 0),
      tax_percent: 0,
    });
  const isLayaway = kind === 'layaway';
  return aPostedSale({
    ...(isLayaway ? { state: 'pending_payment', status: 'pending_payment' } : {}),
    store_id: rate === 1 ? 1 : 2,
    order_currency_code: rate === 1 ? 'USD' : 'CAD',
    base_to_order_rate: rate,
    store_to_order_rate: rate,
    customer_id: customerId,
    ...both('subtotal', piece * 2 - tradeIn),
    ...both('subtotal_incl_tax', piece * 2 - tradeIn),
    ...both('tax_amount', 0),
    ...both('shipping_amount', shipping),
    ...both('shipping_incl_tax', shipping),
    ...total,
    items: [line(piece, 2), ...(tradeIn > 0 ? [line(-tradeIn, 1)] : [])],
    payment: {
      method: kind === 'card' ? 'provider_a' : 'checkmo',
      amount_ordered: total.grand_total,
      base_amount_ordered: total.base_grand_total,
      ...(kind === 'card' ? { last_trans_id: `pay_${randomUUID()}` } : {}),
    },
    extension_attributes: {
      pos_sale_id: randomUUID(),
      ...(isLayaway
        ? { pos_layaway_status: 'open', pos_layaway_expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString() }
        : {}),
      ...(kind === 'due' ? { pos_credit_due: total.grand_total } : {}),
      ...(kind === 'credit' ? { pos_applied_credits: [{ credit_type: 'store_credit', amount: inOrder(12) }] } : {}),
    },
  });
}
