import type { EntityManager } from '@mikro-orm/postgresql';
import { settingDefaults, shopSettings, type ShopSettings } from '../../domain/configuration/setting-defaults.ts';
import { json, definite } from '../support/entity-columns.ts';
import { sql } from '../support/sql.ts';
import type { RowFrom } from '../support/statement.ts';

/** The facts about a store view that credits need: its currencies and the merchant's terms. */
export interface CreditScope {
  storeId: number;
  /** 0 for an unknown store view. */
  websiteId: number;
  currencyCode: string;
  /** Units of the view's currency per unit of the base currency. */
  baseToStoreRate: string;
  baseCurrencyCode: string;
  settings: ShopSettings;
}

const paths = Object.keys(settingDefaults).filter((path) =>
  /^vendor_(store_credit|gift_card|reward_points)\/|^vendor_pos_terminal\/credits\//.test(path),
);

/** Terms of the view, of its website, or the default, in that order, and the view itself. */
const columns = `
  q.store_id, w.website_id, s.currency_code, s.currency_rate, w.base_currency_code,
  (select coalesce(jsonb_object_agg(c.path, c.value), '{}') from (
     select distinct on (path) path, value from config_value
     where path = any($paths) and not is_encrypted and (scope = 'default'
       or (scope = 'websites' and scope_id = w.website_id) or (scope = 'stores' and scope_id = q.store_id))
     order by path, case scope when 'stores' then 0 when 'websites' then 1 else 2 end
   ) c) as settings`;

const joined = (storesSql: string, websiteOf: string) => `
select ${columns} from (${storesSql}) q
  left join store_view s on s.store_id = q.store_id left join website w on w.website_id = ${websiteOf}`;

/** Without a store view the default one counts, as for customers (spec 4.5). */
const ofStore = sql('read-credit-scope.ofStore', {
  gives: { settings: definite(json<Record<string, string | null>>()) },
})`
  ${joined(
    `select case when $id::bigint <> 0 then $id::bigint
       else coalesce((select min(store_id) from store_view where store_id > 0), 0) end as store_id`,
    's.website_id',
  )}`;
const ofCustomer = sql('read-credit-scope.ofCustomer', {
  gives: { settings: definite(json<Record<string, string | null>>()) },
})`${joined('select store_id, website_id from customer where id = $id', 'q.website_id')}`;
const ofOrder = sql('read-credit-scope.ofOrder', {
  gives: { settings: definite(json<Record<string, string | null>>()) },
})`${joined('select store_id from sales_order where entity_id = $id', 's.website_id')}`;

const readScope = async (em: EntityManager, reply: typeof ofStore, id: number): Promise<CreditScope | undefined> => {
  const row = await reply.first(em, { id, paths });
  return row && scopeOf(row);
};

/** The credit terms of a store view; the defaults for an unknown one. One read, in the caller's transaction. */
export async function readCreditScope(em: EntityManager, storeId: number): Promise<CreditScope> {
  const scope = await readScope(em, ofStore, storeId);
  if (!scope) throw new Error('a row that is always there is missing');
  return scope;
}

/** For the customer's own website and store view; undefined for an unknown customer. */
export const readCreditScopeOfCustomer = (em: EntityManager, customerId: number) =>
  readScope(em, ofCustomer, customerId);

/** For the store view of an order; undefined for an unknown order. */
export const readCreditScopeOfOrder = (em: EntityManager, orderId: number) => readScope(em, ofOrder, orderId);

const scopeOf = (row: RowFrom<typeof ofStore>): CreditScope => ({
  storeId: row.storeId,
  websiteId: row.websiteId ?? 0,
  currencyCode: row.currencyCode ?? 'USD',
  baseToStoreRate: row.currencyRate ?? '1',
  baseCurrencyCode: row.baseCurrencyCode ?? 'USD',
  settings: shopSettings(new Map(Object.entries(row.settings))),
});
