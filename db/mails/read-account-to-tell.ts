import type { EntityManager } from '@mikro-orm/postgresql';
import { readStoreSetting } from '../configuration/read-store-setting.ts';
import { digestOf } from '../platform/access/token-digest.ts';
import { Customer } from '../platform/customers/customer.entity.ts';
import { StoreView } from '../platform/stores/store-view.entity.ts';
import { integer, orNull, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';

/** The account that a mail goes to. */
export interface AccountToTell {
  to: string;
  shopName: string;
  /** Of its store view. */
  locale: string;
  /** Null for an account that is active. */
  confirmation: string | null;
}

/** The account of a confirmation's mail, read when it is sent; undefined for one that is gone. Reads only. */
export const readAccountToTell = (em: EntityManager, customerId: number) => read(em, { customerId, digest: null });

/** The account of a token's mail; undefined for a token that was replaced, used, or came too late. Reads only. */
export const readResetToTell = (em: EntityManager, { customerId, token }: { customerId: number; token: string }) =>
  read(em, { customerId, digest: digestOf(token) });

async function read(
  em: EntityManager,
  account: { customerId: number; digest: string | null },
): Promise<AccountToTell | undefined> {
  const found = await find.first(em, account);
  if (!found) return undefined;
  const shopName = await readStoreSetting(em, 'general/store_information/name', found.storeId);
  const { email: to, storeName, locale, confirmation } = found;
  return { to, shopName: shopName === '' ? storeName : shopName, locale, confirmation };
}

const find = statement({
  takes: { customerId: integer, digest: orNull(text) },
  gives: {
    ...of(Customer, 'email', 'storeId', 'confirmation'),
    storeName: of(StoreView, 'name').name,
    ...of(StoreView, 'locale'),
  },
  text: `
    select c.email, c.store_id, c.confirmation, v.name as store_name, v.locale
    from customer c join store_view v on v.store_id = c.store_id
    where c.id = $customerId and ($digest::text is null or exists (
      select from customer_password_reset r
      where r.customer_id = c.id and r.digest = $digest and r.expires_at > now()))`,
});
