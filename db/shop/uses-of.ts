import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../domain/errors.ts';
import { count, integer, surely, text, type ValueOf } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

export const uses = { what: surely(text), times: surely(count) };

/** What needs a website. */
export const usesOfWebsite = statement({
  takes: { id: integer },
  gives: uses,
  text: `
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
      where s.website_codes @> (select to_jsonb(array[w.code]) from website w where w.website_id = $id)`,
});

/** What needs a group. */
export const usesOfGroup = statement({
  takes: { id: integer },
  gives: uses,
  text: `select 'store views' as what, count(*) as times from store_view where store_group_id = $id`,
});

/** What needs a store view. */
export const usesOfView = statement({
  takes: { id: integer },
  gives: uses,
  text: `
    select 'orders' as what, count(*) as times from sales_order where store_id = $id
    union all select 'customers', count(*) from customer where store_id = $id
    union all select 'carts', count(*) from quote where store_id = $id
    union all select 'locations', count(*) from pos_location where store_view_id = $id
    union all select 'pages and blocks', count(*) from content_item where store_id = $id`,
});

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
export const usesOfSource = statement({
  takes: { sourceCode: text },
  gives: uses,
  text: `
    select 'products lie there' as what, count(*) as times from inventory_source_item
      where source_code = $sourceCode and quantity > 0
    union all select 'locations', count(*) from pos_location
      where source_code = $sourceCode or damaged_stock_source_code = $sourceCode
    union all select 'stocks', count(*) from inventory_stock_source where source_code = $sourceCode
    union all select 'shipments', count(*) from sales_shipment where source_code = $sourceCode`,
});
