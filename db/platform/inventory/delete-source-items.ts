import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, texts } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { withStoredSkus } from './stored-skus.ts';

/**
 * Removes products from sources, whatever their quantities (platform facts 10). A repeat changes nothing. Rows are
 * locked in the order of sku, then source, as everywhere.
 */
export const deleteSourceItems = async (
  em: EntityManager,
  given: readonly { sku: string; sourceCode: string }[],
): Promise<void> => {
  const items = await withStoredSkus(em, given);
  await remove.all(em, { skus: items.map(({ sku }) => sku), sourceCodes: items.map(({ sourceCode }) => sourceCode) });
};

const remove = statement({
  takes: { skus: texts, sourceCodes: texts },
  gives: { sourceItemId: integer },
  text: `
    with locked as (
      select i.source_item_id from inventory_source_item i
      join (select distinct sku, source_code from unnest($skus::text[], $sourceCodes::text[]) as given (sku, source_code)) named
        on named.sku = i.sku and named.source_code = i.source_code
      order by i.sku, i.source_code
      for update of i)
    delete from inventory_source_item i using locked
    where i.source_item_id = locked.source_item_id
    returning i.source_item_id`,
});
