import type { EntityManager } from '@mikro-orm/postgresql';
import { Customer } from '../../../db/platform/customers/customer.entity.ts';
import { StoreView, Website } from '../../../db/platform/stores/store.entity.ts';
import type { NewEntry } from '../../../db/store-credit/add-entry.ts';
import { money } from '../../../domain/money.ts';

let made = 0;

/** A customer, by default on website 1, with an empty wallet. */
export async function aCustomer(em: EntityManager, of = { websiteId: 1, storeId: 1 }): Promise<number> {
  const customer = em.create(Customer, {
    ...of,
    groupId: 1,
    email: `wallet-${++made}@shop.test`,
    firstname: 'Wilma',
    lastname: 'Wallet',
  });
  await em.flush();
  return customer.id;
}

/** A second website, in euros. */
export async function aSecondWebsite(em: EntityManager): Promise<number> {
  em.create(Website, { websiteId: 2, code: 'eu', name: 'Europe', baseCurrencyCode: 'EUR' });
  em.create(StoreView, { storeId: 3, websiteId: 2, storeGroupId: 2, code: 'eu_de', name: 'DE', currencyCode: 'EUR' });
  await em.flush();
  return 2;
}

/** Moves an account to another website, as an administrator can. Its credit stays on the first website. */
export const moveAccount = (em: EntityManager, customerId: number, websiteId: number) =>
  em.execute(
    `update customer set website_id = ?, store_id = (select min(store_id) from store_view where website_id = ?)
      where id = ?`,
    [websiteId, websiteId, customerId],
  );

/** A credit of 10.00 without a key by default. */
export const anEntry = (customerId: number, wanted: Partial<Omit<NewEntry, 'amount'>> & { amount?: string } = {}) => {
  const { amount = '10', ...more } = wanted;
  const entry: NewEntry = {
    customerId,
    websiteId: 1,
    operation: 'credit',
    reason: 'goodwill',
    source: null,
    idempotencyKey: null,
    actor: { adminUserId: 1 },
    ...more,
    amount: money(amount),
  };
  return entry;
};
