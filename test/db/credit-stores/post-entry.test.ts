import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { moveGiftCard } from '../../../db/gift-cards/move-gift-card.ts';
import { findGiftCard } from '../../../db/gift-cards/find-gift-card.ts';
import { createOrm } from '../../../db/orm.ts';
import { movePoints } from '../../../db/reward-points/move-points.ts';
import { findPoints } from '../../../db/reward-points/read-points.ts';
import { addEntryWithin } from '../../../db/store-credit/add-entry.ts';
import { findBalance } from '../../../db/store-credit/read-balance.ts';
import { transact } from '../../../db/support/transact.ts';
import { verify } from '../../../books/verify/verify.ts';
import { amount, negate, toWire, zero } from '../../../domain/money.ts';
import { aGiftCard, aMove } from '../../support/builders/gift-card.ts';
import { givePoints } from '../../support/builders/points.ts';
import { aShop } from '../../support/builders/shop.ts';
import { aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { twiceAtOnce, rivalsOf } from '../../support/rivals.ts';

/** What store credit, gift cards and points have in common: one way of posting an entry. */

let orm: MikroORM;
/** A second process of the service. */
let other: MikroORM;
beforeAll(async () => {
  const url = await testDatabaseUrl();
  [orm, other] = await twiceAtOnce(() => createOrm(url));
  await aShop(fork());
});
afterAll(() => Promise.all([orm.close(), other.close()]));

const { fork } = booksOf(() => orm);
const inWhole = (whole: number) => amount(whole * 10_000);

interface Account {
  /** Takes so many away, in whole ones. */
  take: (em: EntityManager, whole: number, key: string) => Promise<unknown>;
  left: () => Promise<number>;
}

async function wallet(): Promise<Account> {
  const customerId = await aCustomer(fork());
  await transact(fork(), (tx) => addEntryWithin(tx, anEntry(customerId, { amount: '50' })));
  return {
    take: (tx, whole, bookingKey) =>
      addEntryWithin(tx, { ...anEntry(customerId, { operation: 'debit', bookingKey }), amount: inWhole(whole) }),
    left: async () => toWire((await findBalance(fork(), customerId, 1)).amount),
  };
}

async function giftCard(): Promise<Account> {
  const code = await aGiftCard(fork(), { amount: '50' });
  return {
    take: (tx, whole, key) => moveGiftCard(tx, { ...aMove(code, { key }), delta: negate(inWhole(whole)) }),
    left: async () => toWire((await findGiftCard(fork(), code))?.balance ?? zero),
  };
}

async function points(): Promise<Account> {
  const customerId = await aCustomer(fork());
  await givePoints(fork(), customerId, 50);
  return {
    take: (tx, whole, key) =>
      movePoints(tx, { customerId, websiteId: 1, kind: 'spent', delta: -whole, orderId: null, reason: 'a sale', key }),
    left: async () => (await findPoints(fork(), customerId, 1)) ?? 0,
  };
}

let keys = 0;
const aKey = () => `contract-${++keys}`;

const rivals = rivalsOf(() => [orm, other]);
const atOnce = async (count: number, work: (tx: EntityManager, at: number) => Promise<unknown>) =>
  (await rivals<unknown>(count, (em, at) => transact(em, (tx) => work(tx, at)))).map((answer) =>
    typeof answer === 'string' ? 'refused' : JSON.stringify(answer),
  );

describe.each([
  ['store credit', wallet],
  ['a gift card', giftCard],
  ['points', points],
])('%s', (_kind, open) => {
  test('a key moves once: repeated, and eight times at once, it is answered with its first entry', async () => {
    const { take, left } = await open();
    const key = aKey();
    const first = await atOnce(8, (tx) => take(tx, 20, key));
    expect(new Set([...first, ...(await atOnce(1, (tx) => take(tx, 45, key)))]).size).toBe(1);
    expect(first[0]).not.toBe('refused');
    expect(await left()).toBe(30);
  });

  test('of eight that want more than there is as many are served as there is for', async () => {
    const { take, left } = await open();
    const answers = await atOnce(8, (tx) => take(tx, 15, aKey()));
    expect(answers.filter((answer) => answer === 'refused')).toHaveLength(5);
    expect(await left()).toBe(5);
  });

  test('what is refused leaves no entry, and its key is not used up', async () => {
    const { take, left } = await open();
    const key = aKey();
    expect(await atOnce(1, (tx) => take(tx, 51, key))).toEqual(['refused']);
    expect(await left()).toBe(50);
    await transact(fork(), (tx) => take(tx, 50, key));
    expect(await left()).toBe(0);
  });

  test('a transaction that fails later has moved nothing', async () => {
    const { take, left } = await open();
    const failing = transact(fork(), async (tx) => {
      await take(tx, 10, aKey());
      throw new Error('the power is gone');
    });
    await expect(failing).rejects.toThrow('the power is gone');
    expect(await left()).toBe(50);
  });
});

test('every balance is the sum of its entries then', async () => {
  const books = await verify(fork(), { lookAgainAfterMs: 1 });
  expect(books.filter(({ id }) => /^(?:I-2[234]|K-|B-)/.test(id))).toEqual([]);
});
