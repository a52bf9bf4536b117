import type { EntityManager } from '@mikro-orm/postgresql';
import { skuKeyOf } from '../../support/columns.ts';
import { integer, definite } from '../../support/entity-columns.ts';
import { lockAdvisory } from '../../support/lock-advisory.ts';
import { sql } from '../../support/sql.ts';
import { transact } from '../../support/transact.ts';

/**
 * Calculates the rules' prices of some products and writes the differences, in the caller's transaction (platform
 * facts 9.3). Equal prices are not written; prices without a rule are deleted. Where something changed, the website's
 * `indexed_at` moves forward, in milliseconds. A website's own values of a product count before the global ones.
 *
 * Prices are calculated once per list of rules, not per group and day, because most of these have the same list.
 *
 * @returns how many prices were written or deleted
 */
async function writePrices(em: EntityManager, productIds: readonly number[]): Promise<number> {
  const written = await write.first(em, { productIds });
  return written?.changed ?? 0;
}

/** The rules for each website, group and day, in their order; and each distinct list of rules once. */
const lists = `
  site as materialized (
    select w.website_id, i.day, scale(in_coins(1, w.base_currency_code)) as decimals
    from catalog_rule_index i join website w on w.website_id = i.website_id),
  scope as materialized (
    select s.website_id, s.decimals, g.id as customer_group_id, s.day + d.days as rule_date,
      array_agg(r.rule_id order by r.sort_order, r.rule_id) as rules
    from site s cross join generate_series(-1, 1) as d (days) cross join customer_group g
      join catalog_rule r on r.is_active
        and (r.website_ids is null or s.website_id::text = any(r.website_ids))
        and (r.customer_group_ids is null or g.id::text = any(r.customer_group_ids))
        and (r.from_date is null or r.from_date <= s.day + d.days)
        and (r.to_date is null or r.to_date >= s.day + d.days)
    group by s.website_id, s.decimals, g.id, rule_date),
  list as materialized (
    select row_number() over () as list_id, rules, decimals
    from (select distinct rules, decimals from scope) as each_once),
  step as materialized (
    select l.list_id, l.decimals, n.place, r.rule_id, r.simple_action, r.discount_amount, r.stop_rules_processing
    from list l cross join unnest(l.rules) with ordinality as n (rule_id, place)
      join catalog_rule r on r.rule_id = n.rule_id)`;

/** A rule without conditions gets one that always holds. */
const conditions = `
  term as materialized (
    select r.rule_id, r.aggregator, c.attribute, c.operator, lower(c."values"[1]) as part,
      case when c.attribute = 'sku' then array(select ${skuKeyOf('v.sku')} from unnest(c."values") as v (sku))
        else c."values" end as "values",
      case when c.operator in ('at_least', 'at_most') then c."values"[1]::numeric end as bound
    from catalog_rule r left join lateral jsonb_to_recordset(r.conditions)
      as c (attribute text, operator text, "values" text[]) on true
    where r.is_active)`;

/**
 * Groups the websites for which a product is checked together: each website with values of its own separately, the
 * others as one. Values of a single store view do not count: a rule applies to a website.
 */
const asSoldOn = `
  select array[s.website_id] as sites, p.scoped_values -> concat('w', s.website_id) -> 'customAttributes' as own
  from site s
  where s.website_id::text = any(p.website_ids) and p.scoped_values -> concat('w', s.website_id) is not null
  union all
  select array(select s.website_id from site s
    where s.website_id::text = any(p.website_ids) and p.scoped_values -> concat('w', s.website_id) is null), null`;

const custom = `coalesce(w.own -> t.attribute, p.custom_attributes -> t.attribute)`;

/** The product's values of the attribute: one, several or none. */
const held = `
  select case t.attribute
    when 'sku' then array[${skuKeyOf('p.sku')}]
    when 'category_ids' then p.category_ids
    when 'price' then array[p.price::text]
    when 'name' then array[p.name::text]
    when 'type_id' then array[p.type_id::text]
    when 'attribute_set_id' then array[p.attribute_set_id::text]
    else case jsonb_typeof(${custom})
      when 'array' then array(select jsonb_array_elements_text(${custom}))
      else array_remove(array[${custom} #>> '{}'], null) end
    end as "values"`;

const isNumber = `h."values"[1] ~ '^-?[0-9]{1,15}([.][0-9]{1,10})?$'`;
const fits = `
  case t.operator
    when 'is_one_of' then h."values" && t."values"
    when 'is_not_one_of' then not h."values" && t."values"
    when 'contains' then position(t.part in lower(array_to_string(h."values", ' '))) > 0
    when 'at_least' then case when ${isNumber} then h."values"[1]::numeric >= t.bound else false end
    when 'at_most' then case when ${isNumber} then h."values"[1]::numeric <= t.bound else false end
    else true end`;

const prices = `
  hit as materialized (
    select p.entity_id, p.price, w.sites, t.rule_id
    from product p cross join lateral (${asSoldOn}) as w cross join term t cross join lateral (${held}) as h
    where p.entity_id = any($productIds)
    group by p.entity_id, p.price, w.sites, t.rule_id, t.aggregator
    having case t.aggregator when 'any' then bool_or(${fits}) else bool_and(${fits}) end),
  priced as materialized (
    select h.entity_id, h.sites, s.list_id, catalog_rule_price(h.price,
      array_agg(s.simple_action order by s.place), array_agg(s.discount_amount order by s.place),
      array_agg(s.stop_rules_processing order by s.place), s.decimals) as rule_price
    from hit h join step s on s.rule_id = h.rule_id
    group by h.entity_id, h.price, h.sites, s.list_id, s.decimals),
  wanted as materialized (
    select p.entity_id as product_id, s.website_id, s.rule_date, s.customer_group_id, p.rule_price
    from priced p join list l on l.list_id = p.list_id
      join scope s on s.rules = l.rules and s.decimals = l.decimals and s.website_id = any(p.sites))`;

const write = sql('reindex-due.write')`
  with ${lists}, ${conditions}, ${prices},
  gone as (
    delete from catalog_rule_price g where g.product_id = any($productIds) and not exists (
      select from wanted w where w.product_id = g.product_id and w.website_id = g.website_id
        and w.rule_date = g.rule_date and w.customer_group_id = g.customer_group_id)
    returning g.website_id),
  written as (
    insert into catalog_rule_price as c (product_id, website_id, rule_date, customer_group_id, rule_price)
    select product_id, website_id, rule_date, customer_group_id, rule_price from wanted
    on conflict (product_id, website_id, rule_date, customer_group_id)
      do update set rule_price = excluded.rule_price where c.rule_price <> excluded.rule_price
    returning c.website_id),
  changed as (select website_id from gone union all select website_id from written),
  moved as (
    update catalog_rule_index i set indexed_at = greatest(date_trunc('milliseconds', clock_timestamp()),
      i.indexed_at + interval '1 millisecond')
    where i.website_id in (select website_id from changed)
    returning 1)
  select (select count(*) from changed) as changed`;

export interface Reindexed {
  /** How many products were recalculated. */
  products: number;
  /** How many prices changed. */
  changed: number;
  /** Nothing more is due. */
  isDone: boolean;
}

/**
 * Recalculates prices of the listed products, at most so many, and takes them off the list, in one transaction.
 *
 * One batch at a time: two concurrent batches could leave the older price. A product that changes meanwhile is listed
 * again and comes with the next batch. A repeat, or a crash before the commit, finds the same work.
 */
export const reindexDue = (em: EntityManager, { limit }: { limit: number }): Promise<Reindexed> =>
  transact(em, async (tx) => {
    await lockAdvisory(tx, 'catalog rule prices');
    const isSpread = (await spread.run(tx)) > 0;
    const productIds = (await take.all(tx, { limit })).map(({ productId }) => productId);
    if (productIds.length === 0) return { products: 0, changed: 0, isDone: !isSpread };
    const changed = await writePrices(tx, productIds);
    const left = await stillDue.first(tx);
    return { products: productIds.length, changed, isDone: left?.due === 0 };
  });

/**
 * Replaces "every product" by each product, including deleted ones that still have prices; no product is listed
 * twice.
 */
const spread = sql('reindex-due.spread')`
  with every as (delete from catalog_rule_due where product_id is null returning 1),
  doubled as (delete from catalog_rule_due where product_id is not null and exists (select from every) returning 1)
  insert into catalog_rule_due (product_id)
  select product_id from (
    select entity_id as product_id from product union select product_id from catalog_rule_price) as known
  where exists (select from every) order by product_id`;

const take = sql('reindex-due.take', { gives: { productId: definite(integer) } })`
  with taken as (
    delete from catalog_rule_due where due_id in (
      select due_id from catalog_rule_due where product_id is not null order by due_id limit $limit)
    returning product_id)
  select distinct product_id from taken order by product_id`;

const stillDue = sql('reindex-due.stillDue')`
  select count(*) as due from (select from catalog_rule_due limit 1) as first_one`;

/**
 * Moves every website's prices to its present day, and lists all products for recalculation where a day has begun
 * (platform facts 9.3). A repeat on the same day changes nothing. A new website starts here, even without rules, so
 * that its registers have an `indexed_at`. That time moves on every day, because yesterday's copy is outdated even
 * where no row changed.
 */
export const openIndexDay = (em: EntityManager, now: Date): Promise<number> => openDay.run(em, { now });

const openDay = sql('reindex-due.openDay')`
  with moved as (
    insert into catalog_rule_index as i (website_id, day, indexed_at)
    select website_id, ($now::timestamptz at time zone time_zone)::date, date_trunc('milliseconds', $now::timestamptz)
    from website where website_id > 0
    order by website_id
    on conflict (website_id) do update set day = excluded.day,
        indexed_at = greatest(date_trunc('milliseconds', $now::timestamptz), i.indexed_at + interval '1 millisecond')
      where i.day <> excluded.day
    returning 1)
  insert into catalog_rule_due (product_id) select null where exists (select from moved)`;
