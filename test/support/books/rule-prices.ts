import type { booksOf } from '../books.ts';
import type { Row } from './cells.ts';

/** What the catalog rules made of the prices of the products that are there, each with its sku. */
export async function rulePrices({ find }: Pick<ReturnType<typeof booksOf>, 'find'>, which: Row = {}) {
  const products = await find('product', {}, 'entity_id', 'sku');
  const skuOf = new Map<number, string>(products.map(({ entity_id: id, sku }) => [id, sku]));
  const prices = await find('catalog_rule_price', which, 'product_id', 'website_id', 'rule_price');
  return prices.flatMap(({ product_id: id, website_id: websiteId, rule_price: price }) => {
    const sku = skuOf.get(id);
    return sku === undefined ? [] : [{ sku, websiteId: Number(websiteId), price: Number(price) }];
  });
}
