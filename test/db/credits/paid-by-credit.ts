import { afterAll, beforeAll, expect } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { verify } from '../../../books/verify/verify.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

export const now = new Date('2026-11-21T09:30:00Z');
export let orm: MikroORM;

/** A shop whose books of credit hold at the end. */
export function opensAShopWithCredit(): void {
  beforeAll(async () => {
    orm = await testDatabase();
    await aShop(fork());
  });
  afterAll(async () => {
    expect(await verify(fork())).toEqual([]);
    await orm.close();
  });
}

const { fork } = booksOf(() => orm);
export const storeCredit = (amount: number | string, over: object = {}) => ({
  credit_type: 'store_credit',
  amount,
  ...over,
});
