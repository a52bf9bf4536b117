import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity, type PosError } from '../../domain/errors.ts';
import type { SearchCriteria } from '../../domain/platform/search-criteria.ts';
import { walletOfOtherWebsite } from '../../domain/refusals/money.ts';
import { isCustomer } from '../platform/customers/read-customers.ts';
import { bigText, readOne, snakeCase, type Kinds, type ValuesOf } from '../support/entity-columns.ts';
import { of } from '../support/rows.ts';
import { search } from '../support/search.ts';
import { sql } from '../support/sql.ts';
import { Wallet, WalletEntry } from './wallet.entity.ts';

/** Reads a row found by `search`, as a statement reads its own rows. */
function readListed<const Gives extends Kinds>(gives: Gives, wire: object): ValuesOf<Gives> {
  const row: Record<string, unknown> = {};
  for (const [key, kind] of Object.entries(gives)) {
    const name = snakeCase(key);
    row[key] = readOne(name, kind, Reflect.get(wire, name));
  }
  return row as ValuesOf<Gives>;
}

/** A ledger entry, with the fields of its wallet. */
export type Entry = ValuesOf<typeof entryPosted>;

/** Of an entry `e` and its wallet `w`. */
export const entryColumns = `e.entry_id, w.customer_id, w.website_id, e.event_type, e.delta, e.balance_after,
  w.base_currency_code, e.reason, e.source, e.idempotency_key, e.admin_user_id, e.api_user_type, e.api_user_id,
  e.created_at`;

export const entryPosted = {
  entryId: bigText,
  ...of(Wallet, 'customerId', 'websiteId', 'baseCurrencyCode'),
  ...of(WalletEntry, 'eventType', 'delta', 'balanceAfter', 'reason', 'source', 'idempotencyKey', 'adminUserId'),
  ...of(WalletEntry, 'apiUserType', 'apiUserId', 'createdAt'),
};

const readPair = sql('wallet.repository.readPair')`
  select c.website_id as customer_website_id,
    exists (select from website s where s.website_id = $websiteId and s.website_id > 0) as is_website
  from customer c where c.id = $customerId`;

/** Why there cannot be a wallet: an unknown customer, an unknown website, or two that do not belong together. */
export async function whyNoWallet(em: EntityManager, customerId: number, websiteId: number): Promise<PosError> {
  const pair = await readPair.first(em, { customerId, websiteId });
  if (!pair) return noSuchEntity('customerId', customerId);
  if (!pair.isWebsite) return noSuchEntity('websiteId', websiteId);
  return walletOfOtherWebsite([customerId, pair.customerWebsiteId, websiteId]);
}

/** A customer's entries on every website, newest first (spec 4.11). Refused with 404: an unknown customer. */
export async function searchHistory(em: EntityManager, customerId: number, criteria: SearchCriteria) {
  if (!(await isCustomer(em, customerId))) throw noSuchEntity('customerId', customerId);
  const { rows, totalCount } = await search<object>(em, criteria, {
    table: 'store_credit_entry e join store_credit_wallet w on w.wallet_id = e.wallet_id',
    columns: entryColumns,
    fields: {
      entry_id: { column: 'e.entry_id', type: 'integer' },
      website_id: { column: 'w.website_id', type: 'integer' },
      event_type: { column: 'e.event_type', type: 'integer' },
      delta: { column: 'e.delta', type: 'decimal' },
      balance_after: { column: 'e.balance_after', type: 'decimal' },
      base_currency_code: { column: 'w.base_currency_code', type: 'code' },
      reason: { column: 'e.reason', type: 'text' },
      source: { column: 'e.source', type: 'text', isNullable: true },
      idempotency_key: { column: 'e.idempotency_key', type: 'code', isNullable: true },
      admin_user_id: { column: 'e.admin_user_id', type: 'integer', isNullable: true },
      api_user_id: { column: 'e.api_user_id', type: 'integer', isNullable: true },
      created_at: { column: 'e.created_at', type: 'timestamp' },
    },
    order: 'e.entry_id desc',
    key: 'e.entry_id',
    where: { sql: 'w.customer_id = ?', parameters: [customerId] },
  });
  return { rows: rows.map((row) => readListed(entryPosted, row)), totalCount };
}
