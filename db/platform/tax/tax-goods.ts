import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { decimal, orNull, text } from '../../support/entity-columns.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { codeIsTaken, refusingTakenCodes } from './lock-tax-rows.ts';

/** A class of goods at a place. Region 0: the whole country. */
export interface GoodsAtPlace {
  taxClassId: number;
  countryId: string;
  regionId: number;
}

/** The tax that goods of a class bear at a place, whatever the postcode and the customer. */
export interface TaxOnGoods extends GoodsAtPlace {
  code: string;
  /** Decimal text. */
  percent: string;
}

/**
 * Makes the tax that goods of a class bear at a place, in the caller's transaction: the class where there is none, the
 * rate, and the rule `Class N` for every class of customers. An existing rate of the place gets the new code and
 * percentage. A repeat changes nothing. Refused with 400: the code is that of a rate elsewhere.
 */
export async function taxGoods(em: EntityManager, { code, percent, ...goods }: TaxOnGoods): Promise<void> {
  const { taxClassId, ...place } = goods;
  const known = await findRate.first(em, goods);
  if (known) return void (await refusingTakenCodes(() => change.run(em, { rateId: known.rateId, code, percent })));
  await makeClass(em, { taxClassId, type: 'PRODUCT' });
  const saved = await makeRate.first(em, { ...place, code, percent });
  if (!saved) throw codeIsTaken();
  await cover.run(em, { taxClassId, rateId: saved.rateId });
}

/**
 * Takes the tax of such goods away, in the caller's transaction; the rate goes when no rule names it. Orders keep their
 * tax. A repeat does nothing. Refused with 400: the rule is also for goods of other classes.
 */
export async function untaxGoods(em: EntityManager, goods: GoodsAtPlace): Promise<void> {
  const found = await findRate.first(em, goods);
  if (!found) return;
  const { rateId } = found;
  const shared = await findShared.first(em, { rateId, taxClassId: goods.taxClassId });
  if (shared) throw invalid('Tax rule %1 is also for goods of other classes; change it first.', [shared.code]);
  await uncover.run(em, { rateId, taxClassId: goods.taxClassId });
  await dropEmptyRules.run(em);
  await dropRate.run(em, { rateId });
}

/** Makes the class of an id where there is none. New customers pay the tax that retail customers pay. */
export async function makeClass(
  em: EntityManager,
  input: { taxClassId: number; type: 'CUSTOMER' | 'PRODUCT' },
): Promise<void> {
  if ((await insertClass.run(em, input)) === 0) return;
  await drawAbove.all(em);
  if (input.type === 'CUSTOMER') await taxCustomers.run(em, { taxClassId: input.taxClassId });
}

/** The taxes on goods, by class and place: of several at one place that of the first rule. */
export const readTaxesOnGoods = (em: EntityManager): Promise<RowFrom<typeof selectTaxGoods>[]> =>
  selectTaxGoods.all(em);

const goodsTaxes = `
  select distinct on (goods.tax_class_id, r.country_id, r.region_id) goods.tax_class_id, r.rate_id, r.country_id,
    r.region_id, r.code, r.percent
  from tax_rule u cross join unnest(u.product_tax_class_ids) as goods(tax_class_id)
    join tax_rate r on r.rate_id = any(u.tax_rate_ids)
  where r.postcode = '*'
  order by goods.tax_class_id, r.country_id, r.region_id, u.priority, u.rule_id, r.rate_id`;

const selectTaxGoods = sql(
  'tax-goods.selectTaxGoods',
)`select * from (${goodsTaxes}) taxes order by rate_id, tax_class_id`;

const findRate = sql('tax-goods.findRate')`
  select rate_id from (${goodsTaxes}) taxes
  where tax_class_id = $taxClassId and country_id = $countryId and region_id = $regionId`;

const change = sql('tax-goods.change', { takes: { percent: decimal } })`
  update tax_rate set code = $code, percent = $percent where rate_id = $rateId`;

const insertClass = sql('tax-goods.insertClass')`
  insert into tax_class (class_id, class_name, class_type)
  values ($taxClassId, 'Class ' || $taxClassId::bigint::text, $type)
  on conflict (class_id) do nothing`;

/** The ids of later classes stay above those that were given here. */
const drawAbove = sql('tax-goods.drawAbove', { gives: { at: orNull(text) } })`
  select setval('tax_class_class_id_seq', (select max(class_id) from tax_class))::text as at`;

/** "Retail Customer" is 3. */
const taxCustomers = sql('tax-goods.taxCustomers')`
  update tax_rule set customer_tax_class_ids = customer_tax_class_ids || $taxClassId::bigint
  where 3 = any(customer_tax_class_ids)`;

const makeRate = sql('tax-goods.makeRate', { takes: { percent: decimal } })`
  insert into tax_rate (code, country_id, region_id, percent) values ($code, $countryId, $regionId, $percent)
  on conflict (lower(code)) do update set percent = excluded.percent
  where tax_rate.country_id = excluded.country_id and tax_rate.region_id = excluded.region_id
    and tax_rate.postcode = '*'
  returning rate_id`;

const cover = sql('tax-goods.cover')`
  insert into tax_rule (code, customer_tax_class_ids, product_tax_class_ids, tax_rate_ids)
  values ('Class ' || $taxClassId::bigint::text,
    (select array_agg(class_id order by class_id) from tax_class where class_type = 'CUSTOMER'),
    array[$taxClassId::bigint], array[$rateId::bigint])
  on conflict (lower(code)) do update set tax_rate_ids = tax_rule.tax_rate_ids || excluded.tax_rate_ids`;

const findShared = sql('tax-goods.findShared')`
  select code from tax_rule
  where $rateId = any(tax_rate_ids) and $taxClassId = any(product_tax_class_ids)
    and cardinality(product_tax_class_ids) > 1
  limit 1`;

const uncover = sql('tax-goods.uncover')`
  update tax_rule set tax_rate_ids = array_remove(tax_rate_ids, $rateId::bigint)
  where $rateId::bigint = any(tax_rate_ids) and $taxClassId = any(product_tax_class_ids)`;

const dropEmptyRules = sql('tax-goods.dropEmptyRules')`delete from tax_rule where tax_rate_ids = '{}'`;

const dropRate = sql('tax-goods.dropRate')`
  delete from tax_rate r
  where r.rate_id = $rateId and not exists (select from tax_rule where $rateId = any(tax_rate_ids))`;
