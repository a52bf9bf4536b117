import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { viewKey, websiteKey } from '../../domain/platform/catalog/scoped-values.ts';
import type { Reply, ShopFields, ShopKind } from '../../domain/shop.ts';
import type { Author } from '../audit/record-difference.ts';
import { count, integer, orNull, definite, text, type ValueOf } from '../support/entity-columns.ts';
import type { SecretBox } from '../support/secret-box.ts';
import { sql } from '../support/sql.ts';
import { statement, type RowFrom } from '../support/statement.ts';
import { transact } from '../support/transact.ts';

/** The tables of a shop file that draw their ids from a sequence. */
const drawing = [
  ...([
    ['inventory_stock', 'stock_id'],
    ['inventory_stock_source', 'link_id'],
    ['config_value', 'config_id'],
  ] as const),
  ...([
    ['tax_class', 'class_id'],
    ['tax_rate', 'rate_id'],
    ['tax_rule', 'rule_id'],
  ] as const),
  ...([
    ['attribute_set', 'attribute_set_id'],
    ['attribute_group', 'attribute_group_id'],
  ] as const),
  ...([
    ['pos_role', 'role_id'],
    ['pos_location', 'location_id'],
    ['pos_terminal', 'terminal_id'],
  ] as const),
  ...([
    ['pos_staff', 'staff_id'],
    ['pos_audit_log', 'log_id'],
    ['content_renewal', 'renewal_id'],
  ] as const),
] as const;

const readSequences = sql('keep-ids.readSequences', { gives: { newest: orNull(count) } })`
  ${drawing
    .map(
      ([table, id]) => `
  select '${table}_${id}_seq' as sequence, s.last_value as drawn, s.is_called, (select max(${id})::bigint
    from ${table}) as newest
  from ${table}_${id}_seq s`,
    )
    .join(' union all ')}`;

/** Nobody inserts while it is held: who is at it already is not waited for. */
const holdAll = sql('keep-ids.holdAll', { gives: { held: orNull(text) } })`select hold_shop_ids()::text as held`;

const giveBack = sql('keep-ids.giveBack')`
  select setval($sequence::text::regclass, $drawn::bigint, $isCalled::boolean) as drawn`;

type Sequence = RowFrom<typeof readSequences>;

/**
 * Runs what is taken back in the end, and gives the ids back that it drew: a rollback leaves sequences where they are.
 *
 * Ids that somebody else drew meanwhile stay drawn. Where somebody writes just now, or the role may not, the ids are
 * lost, as those of any rollback.
 */
export async function keepIds<Result>(em: EntityManager, trial: () => Promise<Result>): Promise<Result> {
  const before = await readSequences.all(em.fork());
  try {
    return await trial();
  } finally {
    const after = await readSequences.all(em.fork());
    const moved = before.filter((one) => !isSame(one, after));
    if (moved.length > 0) await restore(em, moved, after).catch(() => undefined);
  }
}

const isSame = ({ sequence, drawn, isCalled }: Sequence, others: readonly Sequence[]) =>
  others.some((other) => other.sequence === sequence && other.drawn === drawn && other.isCalled === isCalled);

const restore = (em: EntityManager, moved: readonly Sequence[], after: readonly Sequence[]) =>
  transact(em.fork(), async (tx) => {
    await holdAll.first(tx);
    const now = await readSequences.all(tx);
    for (const { sequence, drawn, isCalled } of moved) {
      const present = now.find((one) => one.sequence === sequence);
      if (!present || !isSame(present, after)) continue;
      if (present.newest === null || present.newest <= drawn) await giveBack.first(tx, { sequence, drawn, isCalled });
    }
  });

/** The author of the changes, and what they need. */
export interface ShopTools {
  by: Author;
  /** Needed only for a setting that is stored sealed. */
  box: SecretBox;
  /** The hash of a passcode that nobody knows, for new staff. Made before the transaction, because it takes long. */
  unknownPasscode: string;
}

/** Saves and removes one kind of record by its name, in the transaction of the whole shop file. */
export interface Keeper<Kind extends ShopKind> {
  /**
   * Creates a record, or changes the named fields of an existing one. Refused with 400 and 404 as the shop's own routes
   * are.
   */
  save(em: EntityManager, input: { name: string; fields: Reply<ShopFields[Kind]> }, tools: ShopTools): Promise<void>;
  /** Refused with 400 when other records need it. */
  remove(em: EntityManager, name: string, tools: ShopTools): Promise<void>;
}

/**
 * The platform assigns these ids itself. Call it only under the lock of `applyShop`; otherwise two calls get the same
 * id.
 */
export async function nextId(em: EntityManager, kind: keyof typeof next): Promise<number> {
  const row = await next[kind].first(em);
  return row?.id ?? 1;
}

const id = { id: definite(integer) };
const next = {
  website: statement({ takes: {}, gives: id, text: 'select coalesce(max(website_id), 0) + 1 as id from website' }),
  storeGroup: statement({ takes: {}, gives: id, text: 'select coalesce(max(group_id), 0) + 1 as id from store_group' }),
  storeView: statement({ takes: {}, gives: id, text: 'select coalesce(max(store_id), 0) + 1 as id from store_view' }),
};

/**
 * Removes what a website says for itself: settings, sealed keys among them, and values of products. The next website
 * may get its number, and must not get its card processor.
 */
export async function forgetWebsite(em: EntityManager, websiteId: number): Promise<void> {
  await settings.run(em, { scope: 'websites', scopeId: websiteId });
  await productValues.run(em, { key: websiteKey(websiteId) });
}

/** As `forgetWebsite`, of a store view; its texts of published content go as well. */
export async function forgetView(em: EntityManager, storeId: number): Promise<void> {
  await settings.run(em, { scope: 'stores', scopeId: storeId });
  await productValues.run(em, { key: viewKey(storeId) });
  await texts.run(em, { storeId });
}

const settings = sql('keep-ids.settings')`delete from config_value where scope = $scope and scope_id = $scopeId`;

const productValues = sql('keep-ids.productValues')`
  update product set scoped_values = scoped_values - $key where jsonb_exists(scoped_values, $key)`;

const texts = sql('keep-ids.texts')`delete from content_view_text where store_id = $storeId`;

/** What needs a website. */
export const usesOfWebsite = sql('keep-ids.usesOfWebsite')`
  select 'store views' as what, count(*) as times from store_view where website_id = $id
  union all select 'customers', count(*) from customer where website_id = $id
  union all select 'orders', count(*) from sales_order o join store_view v using (store_id) where v.website_id = $id
  union all select 'locations', count(*) from pos_location where website_id = $id
  union all select 'gift cards', count(*) from gift_card where website_id = $id
  union all select 'wallets', count(*) from store_credit_wallet where website_id = $id
  union all select 'contract prices', count(*) from pos_contract_price where website_id = $id
  union all select 'products', count(*) from product where $id::text = any(website_ids)
  union all select 'product taxes', count(*) from fixed_product_tax where website_id = $id
  union all select 'cart price rules', count(*) from sales_rule where $id::text = any(website_ids)
  union all select 'catalog price rules', count(*) from catalog_rule where $id::text = any(website_ids)
  union all select 'stocks', count(*) from inventory_stock s
    where s.website_codes @> (select to_jsonb(array[w.code]) from website w where w.website_id = $id)`;

/** What needs a group. */
export const usesOfGroup = sql('keep-ids.usesOfGroup')`
  select 'store views' as what, count(*) as times from store_view where store_group_id = $id`;

/** What needs a store view. */
export const usesOfView = sql('keep-ids.usesOfView')`
  select 'orders' as what, count(*) as times from sales_order where store_id = $id
  union all select 'customers', count(*) from customer where store_id = $id
  union all select 'carts', count(*) from quote where store_id = $id
  union all select 'locations', count(*) from pos_location where store_view_id = $id
  union all select 'pages and blocks', count(*) from content_item where store_id = $id`;

type Uses = typeof usesOfWebsite;

/** 400 with every use, so that an operator sees at once what must change first. */
export const refuseWhileNeeded = async (
  em: EntityManager,
  statementOf: Uses,
  { id, what }: { id: ValueOf<typeof integer>; what: string },
): Promise<void> => refuseUses(what, await statementOf.all(em, { id }));

/** The same for uses that are counted already. */
export function refuseUses(needed: string, counted: readonly { what: string; times: number }[]): void {
  const found = counted.filter(({ times }) => times > 0);
  if (found.length === 0) return;
  throw invalid('This needs %1 as it is: %2.', [needed, found.map(({ what, times }) => `${times} ${what}`).join(', ')]);
}

/** What needs a source: goods in stock, locations, stocks and shipments. */
export const usesOfSource = sql('keep-ids.usesOfSource')`
  select 'products lie there' as what, count(*) as times from inventory_source_item
    where source_code = $sourceCode and quantity > 0
  union all select 'locations', count(*) from pos_location
    where source_code = $sourceCode or damaged_stock_source_code = $sourceCode
  union all select 'stocks', count(*) from inventory_stock_source where source_code = $sourceCode
  union all select 'shipments', count(*) from sales_shipment where source_code = $sourceCode`;

/** What has a value of an attribute, in any store view. */
export const usesOfAttribute = sql('keep-ids.usesOfAttribute')`
  select 'products' as what, count(*) as times from product p
  where jsonb_exists(p.custom_attributes, $code)
    or exists (select from jsonb_each(p.scoped_values) s where jsonb_exists(s.value -> 'customAttributes', $code))
    or exists (select from fixed_product_tax t where t.product_id = p.entity_id and t.attribute_code = $code)`;

const isIn = (value: string) => `$value::text = any(string_to_array(${value}, ','))`;

/** What has an option of an attribute, in any store view. */
export const usesOfOption = sql('keep-ids.usesOfOption')`
  select 'products' as what, count(*) as times from product p
  where ${isIn('p.custom_attributes ->> $code::text')}
    or exists (select from jsonb_each(p.scoped_values) s
      where ${isIn(`s.value #>> array['customAttributes', $code::text]`)})`;
