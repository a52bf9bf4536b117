import type { EntityManager } from '@mikro-orm/postgresql';
import { none } from '../../../domain/money/quantity.ts';
import type { Offered, Stocked } from '../../../domain/platform/carts/cart-quantity.ts';
import type { CustomOption } from '../../../domain/platform/catalog/custom-option.ts';
import { stockRulesOf } from '../../../domain/platform/stock-rules.ts';
import { flag, integer, orNull, surely, texts } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { isAmongSkus } from '../../support/sku-sql.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { statusOn } from '../catalog/attribute-sql.ts';
import { Product } from '../catalog/product.entity.ts';
import { readSalability } from '../inventory/read-salability.ts';
import { ownStockRuleColumns, ownStockRules, stockSettings, stockSettingsKind } from '../inventory/stock-rules-sql.ts';

/** A product as a website sells it now. */
export interface Offer extends Offered, Stocked {
  productId: number;
  sku: string;
  options: readonly CustomOption[];
}

const offers = statement({
  takes: { skus: texts, websiteId: integer },
  gives: {
    productId: integer,
    ...of(Product, 'sku', 'typeId', 'isQtyDecimal', 'manageStock', 'options'),
    ...ownStockRules,
    ...stockSettingsKind,
    status: surely(integer),
    isOnWebsite: surely(flag),
    stockId: orNull(integer),
  },
  text: `
    select p.entity_id as product_id, p.sku, p.type_id, p.options, ${statusOn('p', 'w.website_id')} as status,
      w.website_id::text = any(p.website_ids) as is_on_website, p.is_qty_decimal,
      p.manage_stock, ${ownStockRuleColumns('p')}, ${stockSettings} as settings,
      (select s.stock_id from inventory_stock s where s.website_codes @> to_jsonb(array[w.code])
       order by s.stock_id limit 1) as stock_id
    from product p join website w on w.website_id = $websiteId
    where ${isAmongSkus('p.sku')}`,
});

/** This lock makes two buyers of the last piece wait for each other. */
const lock = statement({
  takes: { skus: texts, stockId: integer },
  text: `
    select from inventory_source_item i
    where i.sku = any($skus::text[])
      and i.source_code in (select source_code from inventory_stock_source where stock_id = $stockId)
    order by i.sku, i.source_code for update`,
});

/**
 * Whether a website sells these products now, and how many of each. Unknown products are left out. When the website has
 * no stock, none of the products with a stock limit is available.
 *
 * @param isBinding locks the source items until the transaction ends, before it counts
 */
export async function readOffers(
  em: EntityManager,
  { skus, websiteId }: { skus: readonly string[]; websiteId: number },
  { isBinding }: { isBinding: boolean },
): Promise<Offer[]> {
  const rows = (await offers.all(em, { skus, websiteId })).map(ruled);
  const limited = rows.filter((row) => row.isLimited).map((row) => row.sku);
  const stockId = rows[0]?.stockId ?? null;
  const salable = stockId === null ? new Map() : await salableBySku(em, { limited, stockId, isBinding });
  return rows.map(({ status, stockId: _stockId, ...offer }) => ({
    ...offer,
    isEnabled: status === 1,
    salable: salable.get(offer.sku) ?? none,
  }));
}

function ruled({ settings, manageStock, ...row }: RowFrom<typeof offers>) {
  const rules = stockRulesOf(row, settings);
  return { ...row, ...rules, isLimited: manageStock && rules.backorders === 0 };
}

async function salableBySku(
  em: EntityManager,
  { limited, stockId, isBinding }: { limited: readonly string[]; stockId: number; isBinding: boolean },
) {
  if (isBinding && limited.length > 0) await lock.run(em, { skus: limited, stockId });
  const rows = await readSalability(em, { skus: limited, stockId });
  return new Map(rows.map(({ sku, quantity }) => [sku, quantity]));
}
