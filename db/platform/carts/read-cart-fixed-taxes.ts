import type { EntityManager } from '@mikro-orm/postgresql';
import { zero } from '../../../domain/money/amount.ts';
import type { FixedTax } from '../../../domain/platform/carts/fixed-taxes.ts';
import { isSet, type CartSettings } from '../../../domain/platform/carts/shop-choices.ts';
import type { TaxPlace } from '../../../domain/platform/carts/tax-percent.ts';
import { integer, integers, surely, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { labelInView } from '../catalog/fixed-tax-attributes.ts';
import { FixedProductTax } from '../catalog/fixed-product-tax.entity.ts';
import type { Cart } from './read-cart.ts';

/**
 * The fixed taxes of a cart's lines at the place where it is taxed, in base currency (platform facts 9.2); none where the
 * shop does not charge them. Of one tax, the region's amount is before the country's, and the website's before that of
 * every website. Chosen goods have their own, and those that only the configurable product has.
 */
export async function readCartFixedTaxes(
  em: EntityManager,
  cart: Cart,
  { settings, place }: { settings: CartSettings; place: TaxPlace },
): Promise<FixedTax[][]> {
  if (!isSet(settings['tax/weee/enable']) || cart.lines.length === 0) return cart.lines.map(() => []);
  const productIds = cart.lines.flatMap(({ productId, variantOf }) => [productId, variantOf?.productId ?? productId]);
  const { countryId, regionId } = place;
  const { websiteId, storeId } = cart;
  const rows = await read.all(em, { productIds, websiteId, storeId, countryId, regionId: regionId ?? 0 });
  const ofProduct = (id: number | undefined) => rows.filter(({ productId }) => productId === id);
  return cart.lines.map(({ productId, variantOf }) => {
    const own = ofProduct(productId);
    const more = ofProduct(variantOf?.productId).filter(
      ({ attributeCode }) => !own.some((one) => one.attributeCode === attributeCode),
    );
    return [...own, ...more].filter(({ value }) => value > zero).map(({ title, value }) => ({ title, amount: value }));
  });
}

const read = statement({
  takes: { productIds: integers, websiteId: integer, storeId: integer, countryId: text, regionId: integer },
  gives: { ...of(FixedProductTax, 'productId', 'attributeCode', 'value'), title: surely(text) },
  text: `
    select distinct on (t.product_id, t.attribute_code) t.product_id, t.attribute_code, t.value,
      coalesce(${labelInView('a', '$storeId')}, t.attribute_code) as title
    from fixed_product_tax t
    left join product_attribute a on a.attribute_code = t.attribute_code
    where t.product_id = any($productIds::integer[]) and t.website_id in (0, $websiteId) and t.country_id = $countryId
      and t.region_id in (0, $regionId)
    order by t.product_id, t.attribute_code, t.region_id desc, t.website_id desc`,
});
