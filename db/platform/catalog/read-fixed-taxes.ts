import type { EntityManager } from '@mikro-orm/postgresql';
import { count, integer, orNull, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';

/** How often fixed taxes have changed; 0: never. */
export const readFixedTaxVersion = async (em: EntityManager): Promise<number> =>
  (await version.first(em))?.version ?? 0;

const version = statement({
  takes: {},
  gives: { version: count },
  text: `select version from feed_version where feed = 'fixed_product_tax'`,
});

/**
 * The next fixed taxes of a website, including those for every website, as comma-separated JSON objects (platform
 * facts 9.2).
 */
export const readFixedTaxPage = (em: EntityManager, after: { websiteId: number; valueId: number; limit: number }) =>
  page.first(em, after);

const page = statement({
  takes: { websiteId: integer, valueId: integer, limit: integer },
  gives: { items: orNull(text), lastValueId: orNull(integer) },
  text: `
    select string_agg(format(
        '{"sku":%s,"attribute_code":%s,"website_id":%s,"country_id":%s,"region_id":%s,"value":%s}', to_json(sku),
        to_json(attribute_code), website_id, to_json(country_id), region_id, trim_scale(value)), ',' order by value_id) as items,
      max(value_id) as last_value_id
    from (
      select t.value_id, p.sku, t.attribute_code, t.website_id, t.country_id, t.region_id, t.value
      from fixed_product_tax t join product p on p.entity_id = t.product_id
      where t.website_id in (0, $websiteId) and t.value_id > $valueId
      order by t.value_id limit $limit) as next_rows`,
});
