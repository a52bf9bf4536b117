import type { EntityManager } from '@mikro-orm/postgresql';
import { codeLabels } from '../../../domain/code-labels.ts';
import { zero } from '../../../domain/money/amount.ts';
import type { FixedTax } from '../../../domain/platform/carts/fixed-taxes.ts';
import { isSet, type CartSettings } from '../../../domain/platform/carts/shop-choices.ts';
import type { TaxPlace } from '../../../domain/platform/carts/tax-percent.ts';
import { integer, integers, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
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
  const rows = await read.all(em, { productIds, websiteId: cart.websiteId, countryId, regionId: regionId ?? 0 });
  const titles = new Map(codeLabels(settings['tax/weee/attributes']).map(({ code, label }) => [code, label]));
  const ofProduct = (id: number | undefined) => rows.filter(({ productId }) => productId === id);
  return cart.lines.map(({ productId, variantOf }) => {
    const own = ofProduct(productId);
    const more = ofProduct(variantOf?.productId).filter(
      ({ attributeCode }) => !own.some((one) => one.attributeCode === attributeCode),
    );
    return [...own, ...more]
      .filter(({ value }) => value > zero)
      .map(({ attributeCode: code, value }) => ({ title: titles.get(code) ?? code, amount: value }));
  });
}

const read = statement({
  takes: { productIds: integers, websiteId: integer, countryId: text, regionId: integer },
  gives: of(FixedProductTax, 'productId', 'attributeCode', 'value'),
  text: `
    select distinct on (product_id, attribute_code) product_id, attribute_code, value
    from fixed_product_tax
    where product_id = any($productIds::integer[]) and website_id in (0, $websiteId) and country_id = $countryId
      and region_id in (0, $regionId)
    order by product_id, attribute_code, region_id desc, website_id desc`,
});
