import { beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { verify } from '../../../books/verify/verify.ts';
import { updateOrder } from '../../../db/platform/update-order.ts';
import { claimReceipt, findOrderToClaim } from '../../../db/receipts/claim-receipt.ts';
import { keepClaimedCustomer, createReceiptLinker } from '../../../db/receipts/link-receipt.ts';
import { linkLostReceipts } from '../../../db/receipts/read-receipt-view.ts';
import { lockSale, receiptTokenDigest, saveReceipt, type NewReceipt } from '../../../db/receipts/save-receipt.ts';
import { Receipt } from '../../../db/receipts/receipt.entity.ts';
import { findReceipt, type ReceiptRow } from '../../../db/receipts/receipt.repository.ts';
import { money, pieces } from '../../../domain/money.ts';
import { booksOf } from '../../support/books.ts';
import { hold } from '../../support/books/held.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer } from '../../support/builders/wallet.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { opensAShop, orm } from '../../support/order-book.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { firstId } from '../../support/first-id.ts';

describe('claim receipt', () => {
  const orm = useDatabase();
  let ann: number;
  let ben: number;

  beforeAll(async () => {
    await aShop(fork());
    [ann, ben] = [await aCustomer(fork()), await aCustomer(fork())];
  });

  const { commentsOf, theOrder, findOne, fork, change, insert } = booksOf(() => orm);
  let made = 0;

  /** A stored receipt; the digest of its token. */
  async function stored(fields: Partial<NewReceipt['fields']> = {}): Promise<string> {
    const token = (++made).toString(16).padStart(64, '0');
    await saveReceipt(fork(), secretBox, {
      fields: { posOrderId: `sale-${made}`, currency: 'USD', ...fields },
      items: [],
      receiptToken: token,
    });
    return receiptTokenDigest(token);
  }
  const placed = (customerId?: number) =>
    anOrder(fork(), { paid: false, shipped: false, ...(customerId === undefined ? {} : { customerId }) });
  const claim = (tokenDigest: string, customerId: number) => claimReceipt(fork(), { tokenDigest, customerId });
  const refusal = (outcome: string) => ({ status: 409, parameters: { outcome } });

  const receiptRow = async (tokenDigest: string) => {
    const receipt = await findOne('pos_receipt', { token_digest: tokenDigest }, 'customer_id', 'claimed_at');
    return { customer_id: receipt.customer_id, is_claimed: receipt.claimed_at !== null };
  };
  const orderRow = async (orderId: number) => {
    const row = await theOrder(orderId, 'customer_id', 'customer_is_guest', 'customer_email');
    return row;
  };
  const agrees = async () => (await verify(fork(), { lookAgainAfterMs: 1 })).filter(({ id }) => id.startsWith('I-21'));

  test('a claim takes receipt and order into the account, and the order’s history says so', async () => {
    const order = await placed();
    const digest = await stored({ orderIncrementId: order.incrementId });
    const receiptId = await claim(digest, ann);

    expect(await receiptRow(digest)).toEqual({ customer_id: ann, is_claimed: true });
    expect(await orderRow(order.orderId)).toMatchObject({ customer_id: ann, customer_is_guest: false });
    const comments = await commentsOf(order.orderId, 'comment');
    expect(comments).toContainEqual({ comment: `Receipt ${receiptId} was claimed by customer ${ann}.` });
    expect(await agrees()).toEqual([]);
  });

  test('of eight claims at once, by two people, one wins, and the other seven are refused', async () => {
    for (let round = 0; round < 5; round++) {
      const order = await placed();
      const digest = await stored({ orderIncrementId: order.incrementId });
      const people = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? ann : ben));
      const done = await Promise.allSettled(people.map((customerId) => claim(digest, customerId)));

      const winners = people.filter((_, at) => done[at]?.status === 'fulfilled');
      expect(winners).toHaveLength(1);
      expect(await receiptRow(digest)).toEqual({ customer_id: winners[0], is_claimed: true });
      expect(await orderRow(order.orderId)).toMatchObject({ customer_id: winners[0] });
      for (const [at, one] of done.entries())
        if (one.status === 'rejected')
          expect(one.reason).toMatchObject(refusal(people[at] === winners[0] ? 'receipt_yours' : 'receipt_claimed'));
    }
    expect(await agrees()).toEqual([]);
  });

  test('of the receipts of one order claimed at once by different people, all go to one', async () => {
    const order = await placed();
    const digests = [
      await stored({ orderIncrementId: order.incrementId, layawayKind: 'deposit' }),
      await stored({ orderIncrementId: order.incrementId, layawayKind: 'top_up' }),
      await stored({ saleType: 'refund', originalOrderIncrementId: order.incrementId }),
    ];
    const done = await Promise.allSettled(
      digests.flatMap((digest) => [ann, ben].map(async (customerId) => (await claim(digest, customerId), customerId))),
    );
    const winners = new Set(done.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    expect(winners.size).toBe(1);
    expect(await orderRow(order.orderId)).toMatchObject({ customer_id: [...winners][0] });
    expect(await agrees()).toEqual([]);
  });

  test('a receipt without an order cannot be claimed, and nothing is written', async () => {
    const digests = [
      await stored(),
      await stored({ orderIncrementId: '000009999' }),
      await stored({ saleType: 'refund' }),
    ];
    for (const digest of digests) {
      await expect(claim(digest, ann)).rejects.toMatchObject(refusal('receipt_without_order'));
      expect(await receiptRow(digest)).toEqual({ customer_id: null, is_claimed: false });
    }
  });

  /** Two orders of one website with one number, each of a store of its own. */
  async function twins(number: string) {
    const order = (storeId: number, posSaleId?: string) =>
      anOrder(fork(), {
        ...{ storeId, currency: 'USD', columns: { incrementId: number } },
        ...(posSaleId ? { posSaleId } : {}),
      });
    const [first, second] = [await order(1), await order(2, `sale-of-${number}`)];
    expect([first.incrementId, second.incrementId]).toEqual([number, number]);
    return { first: first.orderId, second: second.orderId };
  }

  test('of two stores with one number, a receipt takes the order of its sale, its return or its till into the account', async () => {
    const { first, second } = await twins('T-1');
    await change('pos_location', { location_id: firstId }, { store_view_id: 1 });
    const { return_id: rmaId } = await insert('sale_return', { increment_id: 'R-T-1', order_id: second });
    const cases: [Partial<NewReceipt['fields']>, number][] = [
      [{ orderIncrementId: 'T-1', posOrderId: 'sale-of-T-1', locationId: firstId }, second],
      [{ originalOrderIncrementId: 'T-1', saleType: 'refund', rmaId, locationId: firstId }, second],
      [{ orderIncrementId: 'T-1', layawayKind: 'top_up', locationId: firstId }, first],
    ];
    for (const [fields, orderId] of cases)
      expect(await findOrderToClaim(fork(), await stored(fields))).toEqual({ orderId, websiteId: 1 });
  });

  test('of two stores with one number, a receipt without a store is claimed by no customer', async () => {
    const { first, second } = await twins('T-2');
    const digest = await stored({ orderIncrementId: 'T-2', layawayKind: 'top_up' });
    await expect(claim(digest, ann)).rejects.toMatchObject(refusal('receipt_of_several_orders'));
    for (const orderId of [first, second]) expect(await orderRow(orderId)).toMatchObject({ customer_id: null });
    expect(await receiptRow(digest)).toEqual({ customer_id: null, is_claimed: false });
  });

  test('of two orders of one customer with one number, the claimed one stays, whatever becomes of the other', async () => {
    const { first, second } = await twins('T-3');
    await claim(await stored({ orderIncrementId: 'T-3', posOrderId: 'sale-of-T-3' }), ann);
    const save = (orderId: number, customerId: number) =>
      updateOrder(fork(), orderId, { posted: { columns: { customerId } }, hooks: [keepClaimedCustomer] });

    await save(first, ann);
    await expect(save(second, ben)).rejects.toMatchObject({ status: 400 });
    await save(first, ben);
    expect(await orderRow(second)).toMatchObject({ customer_id: ann });
    expect(await agrees()).toEqual([]);
  });

  test('only the customer of an order may claim its receipt', async () => {
    const order = await placed(ann);
    const digest = await stored({ orderIncrementId: order.incrementId });
    await expect(claim(digest, ben)).rejects.toMatchObject(refusal('receipt_claimed'));
    await claim(digest, ann);
    await expect(claim(digest, ann)).rejects.toMatchObject(refusal('receipt_yours'));
  });

  test('what the register wrote of the customer stays on the order', async () => {
    const order = await anOrder(fork(), { paid: false, shipped: false, customerEmail: 'at-the-till@example.com' });
    await claim(await stored({ orderIncrementId: order.incrementId }), ann);
    expect(await orderRow(order.orderId)).toMatchObject({
      customer_email: 'at-the-till@example.com',
      customer_id: ann,
    });
  });

  test('a token that was replaced opens nothing any more, also when it is while the claim waits', async () => {
    const order = await placed();
    const digest = await stored({ orderIncrementId: order.incrementId });
    const blocker = fork();
    await blocker.begin();
    await hold(blocker, 'sales_order', { entity_id: order.orderId });
    const waiting = claim(digest, ann).catch((error: unknown) => error);
    await blocker.nativeUpdate(Receipt, { tokenDigest: digest }, { tokenDigest: 'f'.repeat(64) });
    await blocker.commit();

    expect(await waiting).toMatchObject({ status: 404, message: 'The receipt does not exist.' });
    await expect(findOrderToClaim(fork(), digest)).rejects.toMatchObject({ status: 404 });
    expect(await orderRow(order.orderId)).toMatchObject({ customer_id: null });
  });

  test('a later save cannot give a claimed order to another customer; the same customer may be sent again', async () => {
    const order = await placed();
    await claim(await stored({ orderIncrementId: order.incrementId }), ann);
    const save = (customerId: number) =>
      updateOrder(fork(), order.orderId, { posted: { columns: { customerId } }, hooks: [keepClaimedCustomer] });

    await expect(save(ben)).rejects.toMatchObject({ status: 400, parameters: { fieldName: 'customerId', value: ben } });
    expect(await orderRow(order.orderId)).toMatchObject({ customer_id: ann });
    await save(ann);
    expect(await agrees()).toEqual([]);
  });

  test('a save with a customer and claims at once leave receipt and order in agreement', async () => {
    for (let round = 0; round < 5; round++) {
      const order = await placed();
      const digest = await stored({ orderIncrementId: order.incrementId });
      await Promise.allSettled([
        ...Array.from({ length: 4 }, () => claim(digest, ann)),
        updateOrder(fork(), order.orderId, { posted: { columns: { customerId: ben } }, hooks: [keepClaimedCustomer] }),
      ]);
    }
    expect(await agrees()).toEqual([]);
  });

  test('the database keeps a claim as it is', async () => {
    const order = await placed();
    const digest = await stored({ orderIncrementId: order.incrementId });
    await claim(digest, ann);
    const become = (cells: object) => change('pos_receipt', { token_digest: digest }, { ...cells });
    const free = { customer_id: null, claimed_at: null, claimed_order_id: null };
    for (const cells of [{ customer_id: ben }, { claimed_order_id: (await placed()).orderId }, free])
      await expect(become(cells)).rejects.toThrow(/is claimed/);
  });
});

describe('save receipt', () => {
  opensAShop();

  const { fork, refuseWrites, howMany, change } = booksOf(() => orm);
  const warnings: unknown[] = [];
  const link = createReceiptLinker({ warn: (facts) => warnings.push(facts) });
  const receiptOf = (
    posOrderId: string,
    more: Partial<NewReceipt['fields']> = {},
    receiptToken?: string,
  ): NewReceipt => ({
    fields: { posOrderId, grandTotal: money('108'), currency: 'USD', ...more },
    items: [
      { sku: 'MUG', qty: pieces(2), price: money('50') },
      { sku: 'PLATE', qty: pieces(1), price: money('8') },
    ],
    receiptToken,
  });
  const save = (receipt: NewReceipt, em = fork()) => saveReceipt(em, secretBox, receipt);
  const numberOf = async (receiptId: number) => (await findReceipt(fork(), receiptId)).receipt.order_increment_id;

  test('a receipt sent twice and eight times at once is one receipt with its lines once', async () => {
    const ids = await eightAtOnce(() => save(receiptOf('sale-once')));
    expect(new Set([...ids, await save(receiptOf('sale-once'))]).size).toBe(1);

    const { items } = await findReceipt(fork(), ids[0]!);
    expect(items.map((item) => item.sku)).toEqual(['MUG', 'PLATE']);
    expect(await howMany('pos_receipt', { pos_order_id: 'sale-once' })).toBe(1);
  });

  test('a repeat changes the token and a missing order number, and nothing else', async () => {
    const id = await save(receiptOf('sale-repeat', {}, 'a'.repeat(64)));
    const before = (await findReceipt(fork(), id)).receipt;

    await save(receiptOf('sale-repeat', { grandTotal: money('1'), orderIncrementId: '000000077' }, 'b'.repeat(64)));
    const after = (await findReceipt(fork(), id)).receipt;
    expect(after).toMatchObject({ grand_total: '108.0000', order_increment_id: '000000077' });
    expect(secretBox.open(after.sealed_token, 'receipt token')).toBe('b'.repeat(64));
    expect({ ...after, ...pick(before) }).toEqual(before);

    await save(receiptOf('sale-repeat', { orderIncrementId: '000000078' }));
    expect(await numberOf(id)).toBe('000000077');
  });

  /** What a repeat may change. */
  const pick = (row: ReceiptRow) => ({
    order_increment_id: row.order_increment_id,
    sealed_token: row.sealed_token,
    token_digest: Reflect.get(row, 'token_digest'),
    updated_at: Reflect.get(row, 'updated_at'),
  });

  test('no two receipts share a token', async () => {
    await save(receiptOf('sale-token-1', {}, 'c'.repeat(64)));
    await expect(save(receiptOf('sale-token-2', {}, 'C'.repeat(64)))).rejects.toMatchObject({
      status: 400,
      message: 'Could not save the receipt: %1',
    });
  });

  test('a receipt that is not told its token gets one, sealed in the table', async () => {
    const { receipt } = await findReceipt(fork(), await save(receiptOf('sale-token-3')));
    const token = secretBox.open(receipt.sealed_token, 'receipt token');
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(receipt)).not.toContain(token);
  });

  test('the database refuses any other change to a stored receipt', async () => {
    const id = await save(receiptOf('sale-frozen'));
    const become = (cells: object, table = 'pos_receipt') => change(table, { receipt_id: id }, { ...cells });
    await expect(become({ grand_total: 1 })).rejects.toThrow(/frozen/);
    await expect(become({ raw_payload: 'x' })).rejects.toThrow(/frozen/);
    await expect(become({ qty: 1 }, 'pos_receipt_item')).rejects.toThrow(/frozen/);
    const { orderId } = await anOrder(fork(), { paid: false, shipped: false });
    await become({ customer_id: 1, claimed_at: new Date(), claimed_order_id: orderId });
  });

  test('the receipt first: placing the order writes its number on the receipt', async () => {
    const id = await save(receiptOf('sale-before'));
    const order = await anOrder(fork(), { posSaleId: 'sale-before', hooks: [link] });
    expect(await numberOf(id)).toBe(order.incrementId);
  });

  test('the order first: the receipt that comes after carries its number', async () => {
    const order = await anOrder(fork(), { posSaleId: 'sale-after', hooks: [link] });
    expect(await numberOf(await save(receiptOf('sale-after')))).toBe(order.incrementId);
  });

  test('receipt and order at once: they are linked, in either order of commits', async () => {
    const sales = Array.from({ length: 8 }, (_, at) => `sale-race-${at}`);
    const done = await Promise.all(
      sales.flatMap((sale) => [
        save(receiptOf(sale)),
        anOrder(fork(), { posSaleId: sale, hooks: [link], paid: false, shipped: false }),
      ]),
    );
    const ids = done.filter((result) => typeof result === 'number');
    expect(await Promise.all(ids.map(numberOf))).not.toContain(null);
  });

  test('linking again changes nothing, and an order of no sale is left alone', async () => {
    const id = await save(receiptOf('sale-again'));
    const order = { orderId: 1, incrementId: '000000901', posSaleId: 'sale-again' };
    await eightAtOnce(() => link(fork(), order));
    await link(fork(), { ...order, incrementId: '000000902' });
    await link(fork(), { ...order, posSaleId: null });
    expect(await numberOf(id)).toBe('000000901');
  });

  test('a failure to link is logged and leaves the order placed', async () => {
    const broken = async (em: EntityManager, order: Parameters<typeof link>[1]) =>
      link(em, { ...order, incrementId: 'x'.repeat(300) });
    await save(receiptOf('sale-broken'));
    const order = await anOrder(fork(), { posSaleId: 'sale-broken', hooks: [broken], paid: false, shipped: false });

    expect(await howMany('sales_order', { entity_id: order.orderId })).toBe(1);
    expect(warnings).toContainEqual(expect.objectContaining({ orderId: order.orderId }));
  });

  test('an order whose sale is being worked on for too long is placed, and the sweep links its receipt', async () => {
    const id = await save(receiptOf('sale-busy'));
    const busy = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holder = fork().transactional(async (tx) => {
      await lockSale(tx, 'sale-busy');
      locked.resolve();
      await busy.promise;
    });
    await locked.promise;
    const impatient = async (em: EntityManager, order: Parameters<typeof link>[1]) => {
      await em.execute(`set local lock_timeout = '50ms'`);
      await link(em, order);
    };
    const order = await anOrder(fork(), { posSaleId: 'sale-busy', hooks: [impatient], paid: false, shipped: false });
    expect(await numberOf(id)).toBeNull();

    await linkLostReceipts(fork());
    expect(await numberOf(id)).toBeNull();
    busy.resolve();
    await holder;
    const done = await eightAtOnce(() => linkLostReceipts(fork()));

    expect(await numberOf(id)).toBe(order.incrementId);
    expect(Math.max(...done)).toBeGreaterThan(0);
    expect(await linkLostReceipts(fork())).toBe(0);
  });

  test('an order without a link gets its receipt later, also a receipt that is stored later', async () => {
    const broken = async (em: EntityManager, order: Parameters<typeof link>[1]) =>
      link(em, { ...order, incrementId: 'x'.repeat(300) });
    await save(receiptOf('sale-later'));
    const order = await anOrder(fork(), { posSaleId: 'sale-later', hooks: [broken], paid: false, shipped: false });
    await linkLostReceipts(fork());
    expect(await numberOf(await save(receiptOf('sale-later')))).toBe(order.incrementId);
  });

  test('a receipt that cannot be linked keeps no other waiting, and a sweep whose time is up leaves them to the next', async () => {
    const broken = async (em: EntityManager, order: Parameters<typeof link>[1]) =>
      link(em, { ...order, incrementId: 'x'.repeat(300) });
    const lost = async (posSaleId: string) => {
      const receiptId = await save(receiptOf(posSaleId));
      return { receiptId, ...(await anOrder(fork(), { posSaleId, hooks: [broken], paid: false, shipped: false })) };
    };
    const first = await lost('sale-refused');
    const second = await lost('sale-behind');
    const links = { on: 'change', to: 'pos_receipt', when: `old.pos_order_id = 'sale-refused'` } as const;
    const mend = await refuseWrites(links);

    expect(await linkLostReceipts(fork(), { withinMs: 0 })).toBe(0);
    const failures: number[] = [];
    await linkLostReceipts(fork(), { failed: (orderId) => failures.push(orderId) });
    expect(failures).toEqual([first.orderId]);
    expect(await numberOf(second.receiptId)).toBe(second.incrementId);
    await mend();
    await linkLostReceipts(fork());
    expect(await numberOf(first.receiptId)).toBe(first.incrementId);
  });
});
