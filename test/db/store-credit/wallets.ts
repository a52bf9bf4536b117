import { afterAll, beforeAll } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { addEntry, type NewEntry } from '../../../db/store-credit/add-entry.ts';
import { findBalance } from '../../../db/store-credit/read-balance.ts';
import { searchHistory } from '../../../db/store-credit/wallet.repository.ts';
import { formatAmount } from '../../../domain/money.ts';
import { everything } from '../../../api/wire/criteria.ts';
import { aSecondWebsite, aCustomer, anEntry } from '../../support/builders/wallet.ts';
import { aShop } from '../../support/builders/shop.ts';
import { createOrm } from '../../../db/orm.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabaseUrl } from '../../support/database.ts';
import { twiceAtOnce } from '../../support/rivals.ts';

export let orm: MikroORM;
/** A second process of the service. */
export let other: MikroORM;
export let euWebsiteId: number;

/** A shop with two websites, and two processes of the service. */
export function opensWallets(): void {
  beforeAll(async () => {
    const url = await testDatabaseUrl();
    [orm, other] = await twiceAtOnce(() => createOrm(url));
    await aShop(fork());
    euWebsiteId = await aSecondWebsite(fork());
  });
  afterAll(() => Promise.all([orm.close(), other.close()]));
}

const { fork } = booksOf(() => orm);
export const add = (entry: NewEntry, em = fork()) => addEntry(em, entry);
export const balanceOf = async (customerId: number, websiteId = 1) =>
  formatAmount((await findBalance(fork(), customerId, websiteId)).amount);
export const historyOf = async (customerId: number) => (await searchHistory(fork(), customerId, everything)).rows;
export const aWalletOf = async (amount: string) => {
  const customerId = await aCustomer(fork());
  await add(anEntry(customerId, { amount }));
  return customerId;
};
