import { randomUUID } from 'node:crypto';
import { add } from '../../../domain/money.ts';
import { aPostedLine } from '../../support/builders/posted-sale.ts';
import { baseOf, offer, type Account, type Hand } from './account.ts';

type Verb = (hand: Hand, account: Account) => Promise<unknown>;

const parkedFor = ['original_payment', 'original_payment', 'cash', 'terminal', 'store_credit', 'exchange'] as const;
const methods = [...parkedFor, 'manual_card'] as const;

const save = (hand: Hand, { orderId }: Account, entity: object) =>
  hand.press('POST', '/V1/orders', { entity: { entity_id: orderId, ...entity } });

const filtered = (path: string, orderId: number) =>
  `${path}?searchCriteria[filter_groups][0][filters][0][field]=order_id&searchCriteria[filter_groups][0][filters][0][value]=${orderId}`;

/** Orders are saved in every way that a client can spell. */
const saves: Record<string, Verb> = {
  async 'sends it back as it was read'(hand, account) {
    const { body } = await hand.press('GET', `/V1/orders/${account.orderId}`);
    await hand.press('POST', '/V1/orders', { entity: body });
  },
  're-opens it': (hand, account) => save(hand, account, { state: 'processing', status: 'processing' }),
  'makes it new': (hand, account) => save(hand, account, { state: 'new', status: 'pending' }),
  'cancels it by a save': (hand, account) => save(hand, account, { state: 'canceled', status: 'canceled' }),
  'closes it by a save': (hand, account) => save(hand, account, { state: 'closed', status: 'closed' }),
  'completes it by a save': (hand, account) => save(hand, account, { state: 'complete', status: 'complete' }),
  'holds it by a save': (hand, account) => save(hand, account, { state: 'holded', status: 'holded' }),
  async 'says more was paid'(hand, account) {
    const paid = hand.chance.oneOf([1, 5, account.grandTotal]);
    offer(account, paid);
    await save(hand, account, { total_paid: paid, base_total_paid: Number((paid / account.rate).toFixed(4)) });
  },
  'takes shipping off': (hand, account) =>
    save(hand, account, {
      shipping_amount: 1,
      base_shipping_amount: 1,
      shipping_incl_tax: 1,
      base_shipping_incl_tax: 1,
    }),
  'lowers its total': (hand, account) => save(hand, account, { grand_total: 5, base_grand_total: 5 }),
  'lowers a line': (hand, account) =>
    save(hand, account, { items: [{ item_id: account.itemId, qty_ordered: 1, row_total: 1, base_row_total: 1 }] }),
  'adds a line': (hand, account) => save(hand, account, { items: [aPostedLine({ qty_ordered: 1 })] }),
  'points its refund elsewhere': (hand, account) =>
    save(hand, account, { payment: { method: 'provider_a', last_trans_id: 'pay_of_somebody_else' } }),
  'changes its currency': (hand, account) => save(hand, account, { order_currency_code: 'EUR' }),
  'changes its rate': (hand, account) => save(hand, account, { base_to_order_rate: 2 }),
  'gives it to another customer': (hand, account) => save(hand, account, { customer_id: hand.strangerId }),
};

/** What the platform's own routes do with an order. */
const platform: Record<string, Verb> = {
  'puts it on hold': (hand, { orderId }) => hand.press('POST', `/V1/orders/${orderId}/hold`),
  'takes it off hold': (hand, { orderId }) => hand.press('POST', `/V1/orders/${orderId}/unhold`),
  'cancels it': (hand, { orderId }) => hand.press('POST', `/V1/orders/${orderId}/cancel`),
  async 'invoices one piece'(hand, account) {
    offer(account, account.grandTotal);
    await hand.press('POST', `/V1/order/${account.orderId}/invoice`, {
      capture: hand.chance.percent(50),
      items: [{ order_item_id: account.itemId, qty: 1 }],
    });
  },
  async 'invoices the rest'(hand, account) {
    offer(account, account.grandTotal);
    await hand.press('POST', `/V1/order/${account.orderId}/invoice`, { capture: hand.chance.percent(70) });
  },
  async 'captures or cancels an invoice'(hand, account) {
    const { body } = await hand.press('GET', filtered('/V1/invoices', account.orderId));
    const invoices: { entity_id: number }[] = body?.items ?? [];
    const invoice = invoices[hand.chance.below(Math.max(1, invoices.length))];
    if (!invoice) return;
    offer(account, account.grandTotal);
    if (hand.chance.percent(50)) await hand.press('POST', `/V1/invoices/${invoice.entity_id}/capture`);
    else await hand.press('POST', '/V1/invoices', { entity: { ...invoice, state: 3 } });
  },
  'hands it over': (hand, { orderId }) => hand.press('POST', `/V1/order/${orderId}/ship`, {}),
  'refunds it by hand': (hand, account) =>
    hand.press('POST', `/V1/order/${account.orderId}/refund`, {
      ...(hand.chance.percent(50) ? { items: [{ order_item_id: account.itemId, qty: 1 }] } : {}),
      ...(hand.chance.percent(40) ? { arguments: { ...someAdjustments(hand) } } : {}),
    }),
  'refunds shipping by hand': (hand, { orderId, itemId }) =>
    hand.press('POST', `/V1/order/${orderId}/refund`, {
      items: [{ order_item_id: itemId, qty: 0 }],
      arguments: { shipping_amount: hand.chance.oneOf([1, 4, 6]), adjustment_positive: hand.chance.oneOf([0, 0, 20]) },
    }),
  async 'refunds an invoice by hand'(hand, account) {
    const { body } = await hand.press('GET', filtered('/V1/invoices', account.orderId));
    const id = body?.items?.[0]?.entity_id;
    if (typeof id === 'number') await hand.press('POST', `/V1/invoice/${id}/refund`, {});
  },
};

const someAdjustments = ({ chance }: Hand) => ({
  shipping_amount: chance.oneOf([0, 1, 4]),
  adjustment_positive: chance.oneOf([0, 1, 20]),
  adjustment_negative: chance.oneOf([0, 0.5, 3]),
});

/** What a register does with money and goods. */
const counter: Record<string, Verb> = {
  async 'takes a payment of a layaway'(hand, account) {
    const amount = hand.chance.oneOf([3, 10, account.grandTotal]);
    offer(account, amount);
    const byCard = { paymentMethod: 'provider_a', reference: `pay_${randomUUID()}` };
    const how = hand.chance.percent(40) ? byCard : { paymentMethod: 'cash' };
    await hand.press('POST', `/V1/pos/layaways/${account.orderId}/payments`, { amount, ...how });
  },
  'cancels a layaway': (hand, { orderId }) =>
    hand.press('POST', `/V1/pos/layaways/${orderId}/cancel`, {
      feePercent: hand.chance.oneOf([0, 10, 100]),
      reason: 'moved',
    }),
  async 'collects credit due'(hand, account) {
    const amount = hand.chance.oneOf([3, 10, account.grandTotal]);
    offer(account, amount);
    await hand.press('POST', `/V1/pos/orders/${account.orderId}/due-payments`, {
      amount,
      reference: `due-${hand.chance.below(1_000_000)}`,
    });
  },
  async 'takes goods back'(hand, account) {
    const { status, body } = await hand.press('POST', '/V1/pos/rma', {
      orderId: account.orderId,
      items: JSON.stringify([
        { order_item_id: account.itemId, qty_requested: hand.chance.oneOf([1, 1, 2]), resolution: 'Refund' },
      ]),
      autoApprove: hand.chance.percent(80),
      locationId: hand.lane.shop.locationId,
      refundMethod: hand.chance.oneOf(parkedFor),
    });
    const id: unknown = status === 200 ? body.id : body?.parameters?.return_id;
    if (typeof id === 'number') account.returns.push(id);
  },
  async 'settles a return'(hand, account) {
    await withReturn(hand, account, async (id) => {
      const method = hand.chance.oneOf(methods);
      const answer = await hand.press('POST', `/V1/pos/rma/${id}/settle`, {
        method,
        ...(hand.chance.percent(30) ? { adjustmentPositive: hand.chance.oneOf([1, 15]) } : {}),
        ...(hand.chance.percent(30) ? { shippingAmount: hand.chance.oneOf([0, 1, 4]) } : {}),
      });
      if (method === 'store_credit' && answer.status === 200) await issue(hand, account, answer.body.base_handback);
    });
  },
  'cancels the refund of a return': (hand, account) =>
    withReturn(hand, account, (id) => hand.press('POST', `/V1/pos/rma/${id}/cancel-refund`, {})),
  'closes a return': (hand, account) =>
    withReturn(hand, account, (id) => hand.press('POST', `/V1/pos/rma/${id}/close`, {})),
  'takes goods back in one call': (hand, account) =>
    hand.press('POST', '/V1/pos/rma/process', {
      orderId: account.orderId,
      items: JSON.stringify([{ order_item_id: account.itemId, qty: 1 }]),
      resolution: hand.chance.oneOf(['refund', 'refund', 'exchange']),
      isOnline: hand.chance.percent(60),
    }),
  'asks the gateway again': (hand, account) =>
    withAttempt(hand, account, (id) => hand.press('POST', `/V1/pos/rma/refund-attempts/${id}/reconcile`)),
  'hands out store credit': (hand, account) => issue(hand, account, hand.chance.oneOf([1, 5, 20])),
  'hands store credit to a stranger': (hand, account) =>
    issue(hand, account, hand.chance.oneOf([1, 5, 20]), hand.strangerId),
};

async function withReturn(hand: Hand, { returns }: Account, use: (id: number) => Promise<unknown>): Promise<void> {
  const id = returns[hand.chance.below(Math.max(1, returns.length))];
  if (id !== undefined) await use(id);
}

const withAttempt = (hand: Hand, account: Account, use: (id: number) => Promise<unknown>) =>
  withReturn(hand, account, async (id) => {
    const { body } = await hand.press('GET', `/V1/pos/rma/${id}`);
    if (typeof body?.refund_attempt_id === 'number') await use(body.refund_attempt_id);
  });

/** Money that a memo gives back goes to the wallet instead of into a hand. The amount is in the order's currency. */
async function issue(hand: Hand, account: Account, amount: number, customerId = account.customerId): Promise<void> {
  if (!(amount > 0)) return;
  const { body } = await hand.press('POST', '/V1/pos/credits/refund', {
    orderId: String(account.orderId),
    creditType: 'store_credit',
    provider: '',
    amount,
    customerId,
    reason: 'instead of money',
    code: null,
  });
  if (body?.success !== true) return;
  account.issuedAsCredit = add(account.issuedAsCredit, baseOf(account, body.amount_applied));
}

export const verbs: Readonly<Record<string, Verb>> = { ...saves, ...platform, ...counter };
export const verbNames = Object.keys(verbs);
