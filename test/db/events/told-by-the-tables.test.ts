import { beforeAll, describe, expect, test } from '@jest/globals';
import { factsOf } from '../../../api/events/event-schemas.ts';
import { closeSession, forceCloseSession } from '../../../db/register-sessions/close-session.ts';
import { countSession } from '../../../db/register-sessions/count-session.ts';
import { givePlaces, readFeed, readFeedEnds } from '../../../db/events/feed.ts';
import { createGiftCard } from '../../../db/gift-cards/create-gift-card.ts';
import { cancelLayaway } from '../../../db/layaways/cancel-layaway.ts';
import { capturePayment, flagStale } from '../../../db/layaways/capture-payment.ts';
import { cancelOrder } from '../../../db/platform/orders/cancel-order.ts';
import { addEntry } from '../../../db/store-credit/add-entry.ts';
import { transact } from '../../../db/support/transact.ts';
import { recordFinding } from '../../../db/verdicts/record-finding.ts';
import { setReturnStatus } from '../../../db/returns/resolve-return.ts';
import type { ReportedEvent } from '../../../domain/events.ts';
import { money } from '../../../domain/money.ts';
import { booksOf } from '../../support/books.ts';
import { aBareReceipt } from '../../support/builders/bare-receipt.ts';
import { aTerminal } from '../../support/builders/counter.ts';
import { aCancellation, aLayaway, aPayment } from '../../support/builders/layaway.ts';
import { anOrder } from '../../support/builders/order.ts';
import { givePoints, pointsOn } from '../../support/builders/points.ts';
import { publishedContent } from '../../support/builders/published-content.ts';
import { aRefundAttempt, aRequestedReturn, aReturn } from '../../support/builders/return.ts';
import { aClose, aCount, aSession } from '../../support/builders/register-session.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { minutesAgo } from '../../support/moments.ts';
import { initialiseReturn } from '../../../db/returns/create-return.ts';
import { firstId } from '../../support/first-id.ts';

const orm = useDatabase();
let locationId: number;
beforeAll(async () => {
  ({ locationId } = await aShop(fork()));
});

const { fork, change, insert, remove, findOne } = booksOf(() => orm);

/** What was told while the work was done, without the movements of stock. */
async function told(work: () => Promise<unknown>): Promise<ReportedEvent[]> {
  await givePlaces(fork());
  const { newest } = await readFeedEnds(fork());
  await work();
  await givePlaces(fork());
  const events = await readFeed(fork(), { after: newest, types: [], limit: 1_000 });
  // The facts are what the document says.
  for (const { type, facts } of events) factsOf(type).parse(facts);
  return events.filter(({ type }) => type !== 'stock.moved');
}
const typesOf = (events: readonly ReportedEvent[]) => events.map(({ type }) => type);

describe('an order', () => {
  test('is told as placed, and as paid once nothing is due any more', async () => {
    const events = await told(() => anOrder(fork(), { shipped: false }));
    expect(typesOf(events)).toEqual(['order.placed', 'order.paid']);
    expect(events[0]?.facts).toMatchObject({ state: 'new', grand_total: 108, total_due: 108, currency: 'USD' });
    expect(events[1]?.facts).toMatchObject({ total_due: 0, total_paid: 108, paid: 108 });
  });

  test('is told as cancelled once', async () => {
    const { orderId } = await anOrder(fork(), { paid: false, shipped: false });
    const cancel = () => cancelOrder(fork(), orderId).catch(() => undefined);
    expect(typesOf(await told(cancel))).toEqual(['order.cancelled']);
    expect(await told(cancel)).toEqual([]);
  });

  test('that is rolled back is not told', async () => {
    const events = await told(() =>
      transact(fork(), async (tx) => {
        await tx.execute(`update sales_order set state = 'holded' where entity_id = 1`);
        throw new Error('never mind');
      }).catch(() => undefined),
    );
    expect(events).toEqual([]);
  });

  test('that is saved without a change of its money or state is not told', async () => {
    const { orderId } = await anOrder(fork());
    expect(await told(() => change('sales_order', { entity_id: orderId }, { customer_note: 'a gift' }))).toEqual([]);
  });
});

describe('a layaway', () => {
  test('is told from its opening to its last payment', async () => {
    let orderId = 0;
    const opened = await told(async () => ({ orderId } = await aLayaway(fork())));
    expect(typesOf(opened)).toEqual(['order.placed', 'layaway.opened']);
    const part = await told(() => capturePayment(fork(), aPayment(orderId, '40')));
    expect(typesOf(part)).toEqual(['layaway.paid']);
    expect(part[0]?.facts).toMatchObject({ paid: 40, total_due: 68, layaway_balance_owed: 68 });
    const rest = await told(() => capturePayment(fork(), aPayment(orderId, '68')));
    expect(typesOf(rest).toSorted()).toEqual(expect.arrayContaining(['layaway.paid', 'order.paid']));
    const settled = await told(() => change('sales_order', { entity_id: orderId }, { state: 'processing' }));
    expect([...typesOf(rest), ...typesOf(settled)].filter((type) => type === 'layaway.settled')).toHaveLength(1);
  });

  test('is told as stale when it is late, and as cancelled with its order', async () => {
    const { orderId } = await aLayaway(fork(), { expiresAt: minutesAgo(5) });
    expect(typesOf(await told(() => flagStale(fork(), orderId)))).toEqual(['layaway.stale']);
    const events = await told(() => cancelLayaway(fork(), aCancellation(orderId, 0)));
    expect(typesOf(events).toSorted()).toEqual(['layaway.cancelled', 'order.cancelled']);
  });
});

describe('a return', () => {
  test('is told from its creation to the money', async () => {
    let returnId = 0;
    const begun = await told(async () => {
      ({ returnId } = await aReturn(orm, { locationId, refundMethod: 'cash' }));
      await initialiseReturn(orm.em, { returnId, canRefundThrough: () => true });
    });
    expect(typesOf(begun).filter((type) => type.startsWith('return.'))).toEqual(['return.created', 'return.received']);
    expect(returnId).toBeGreaterThan(0);
  });

  test('that is refused is told so', async () => {
    const { returnId } = await aRequestedReturn(orm);
    const refuse = () => setReturnStatus(fork(), { returnId, status: 'rejected', comment: null, author: null });
    expect(typesOf(await told(refuse))).toEqual(['return.refused']);
  });

  test('whose refund is in doubt tells the doubt and its end', async () => {
    let attemptId = 0;
    const doubt = await told(async () => ({ attemptId } = await aRefundAttempt(orm, { locationId })));
    expect(typesOf(doubt)).toContain('refund.uncertain');
    expect(doubt.find(({ type }) => type === 'refund.uncertain')?.facts).toMatchObject({ amount: 54, currency: 'USD' });
    const decided = await told(() =>
      recordFinding(orm.em, { attemptId, finding: { evidence: 'refunded' }, now: new Date() }),
    );
    expect(typesOf(decided).toSorted()).toEqual([
      'order.refunded',
      'refund.decided',
      'return.closed',
      'return.settled',
    ]);
  });
});

test('credit tells each movement, and never a gift card’s code', async () => {
  const customerId = await aCustomer(fork());
  const wallet = await told(() => addEntry(fork(), anEntry(customerId)));
  expect(wallet).toMatchObject([
    { type: 'credit.changed', objectKind: 'store_credit', facts: { delta: 10, balance: 10, customer_id: customerId } },
  ]);
  const card = await told(() =>
    createGiftCard(fork(), {
      code: 'SECRET-CODE',
      websiteId: 1,
      amount: money('50'),
      expiresAt: null,
      reason: 'bought',
    }),
  );
  expect(card).toMatchObject([{ type: 'credit.changed', objectKind: 'gift_card', facts: { delta: 50, balance: 50 } }]);
  expect(JSON.stringify(card)).not.toContain('SECRET');
  await pointsOn(fork());
  expect(await told(() => givePoints(fork(), customerId, 7))).toMatchObject([
    { type: 'credit.changed', objectKind: 'reward_points', facts: { delta: 7, balance: 7 } },
  ]);
});

test('a receipt is told when it is stored, and when a customer takes it', async () => {
  let receiptId = 0;
  const synced = await told(async () => ({ receipt_id: receiptId } = await aBareReceipt(orm)));
  expect(typesOf(synced)).toEqual(['receipt.synced']);
  const taken = { claimed_at: new Date(), customer_id: firstId, claimed_order_id: firstId };
  const claim = () => change('pos_receipt', { receipt_id: receiptId }, taken);
  expect(typesOf(await told(claim))).toEqual(['receipt.claimed']);
  expect(await told(() => claim().catch(() => undefined))).toEqual([]);
});

test('stock tells what was there and what is', async () => {
  await givePlaces(fork());
  const { newest } = await readFeedEnds(fork());
  await change('inventory_source_item', { sku: 'PLATE', source_code: 'floor' }, { quantity: 12 });
  await change('inventory_source_item', { sku: 'PLATE', source_code: 'floor' }, { quantity: 12 });
  await givePlaces(fork());
  const events = await readFeed(fork(), { after: newest, types: ['stock.moved'], limit: 10 });
  for (const { type, facts } of events) factsOf(type).parse(facts);
  expect(events).toMatchObject([{ objectId: 'PLATE', facts: { source_code: 'floor', quantity: 12 } }]);
});

test('a customer is told once for a save, whatever rows it has', async () => {
  let customerId = 0;
  const created = await told(async () => (customerId = await aCustomer(fork())));
  expect(created).toMatchObject([{ type: 'customer.changed', facts: { change: 'created' } }]);
  const moved = await told(() =>
    transact(fork(), async (tx) => {
      await tx.execute('update customer set firstname = ? where id = ?', ['Wanda', customerId]);
      await tx.execute(
        `insert into customer_address (customer_id, firstname, lastname, city, country_id) values (?, 'W', 'W', 'Troy',
          'US')`,
        [customerId],
      );
    }),
  );
  expect(moved).toMatchObject([{ type: 'customer.changed', facts: { change: 'changed' } }]);
  expect(await told(() => change('customer', { id: customerId }, { password_hash: 'x' }))).toEqual([]);
  const customer_id = customerId;
  const subscribed = { website_id: 1, store_id: 1, email: 'wanda@example.com', status: 1 };
  // Whose the subscription is, and whether it is one, is shown with the customer.
  expect(typesOf(await told(() => insert('newsletter_subscriber', { ...subscribed, customer_id })))).toHaveLength(1);
  expect(typesOf(await told(() => change('newsletter_subscriber', { customer_id }, { status: 3 })))).toHaveLength(1);
  expect(await told(() => change('newsletter_subscriber', { customer_id }, { status: 3 }))).toEqual([]);
  const swapped = await told(() =>
    transact(fork(), async (tx) => {
      await tx.execute('update customer set lastname = ? where id = ?', ['West', customerId]);
      await tx.execute('delete from customer_address where customer_id = ?', [customerId]);
    }),
  );
  expect(swapped).toHaveLength(1);
  const gone = await told(() => remove('customer', { id: customerId }));
  expect(gone).toMatchObject([{ type: 'customer.changed', facts: { change: 'deleted' } }]);
});

test('a closing is told once, and its difference with it', async () => {
  let session = await aSession(orm, 'counted');
  const closed = await told(() => closeSession(orm.em, aClose(session)));
  expect(typesOf(closed)).toEqual(['register_session.closed']);
  expect(closed[0]).toMatchObject({
    objectId: session.registerSessionUuid,
    facts: { number: 1, has_difference: false },
  });
  expect(await told(() => forceCloseSession(orm.em, session.registerSessionUuid))).toEqual([]);

  session = await aSession(orm);
  for (let count = 0; count < 2; count++) await countSession(orm.em, aCount(session.registerSessionUuid, '90'));
  const differing = await told(() => closeSession(orm.em, aClose(session)));
  expect(typesOf(differing)).toEqual(['register_session.closed', 'register_session.difference']);
});

test('a terminal is told when a device is bound and when it is not any more', async () => {
  let terminalId = 0;
  const bound = await told(async () => ({ terminalId } = await aTerminal(fork(), { locationId })));
  expect(typesOf(bound)).toContain('terminal.activated');
  const off = await told(() => change('pos_terminal', { terminal_id: terminalId }, { is_active: false }));
  expect(typesOf(off)).toEqual(['terminal.revoked']);
  const on = await told(() => change('pos_terminal', { terminal_id: terminalId }, { is_active: true }));
  expect(typesOf(on)).toEqual(['terminal.activated']);
  expect(await told(() => change('pos_terminal', { terminal_id: terminalId }, { name: 'Till 2' }))).toEqual([]);
});

test('a product tells each change, and nothing where nothing changed', async () => {
  const renamed = await told(() => change('product', { sku: 'MUG' }, { name: 'A mug' }));
  expect(renamed).toMatchObject([{ type: 'product.changed', facts: { sku: 'MUG', change: 'changed' } }]);
  expect(await told(() => change('product', { sku: 'MUG' }, { name: 'A mug' }))).toEqual([]);
});

test('content is told when it is published, not when its blocks are rendered again', async () => {
  const published = await told(() => publishedContent(fork(), { identifier: 'told', content: 'text' }));
  expect(typesOf(published)).toEqual(['content.published']);
  const { content_id: contentId } = await findOne('content_item', { identifier: 'told' }, 'content_id');
  expect(await told(() => change('content_publication', { content_id: contentId }, { html: 'again' }))).toEqual([]);
});
