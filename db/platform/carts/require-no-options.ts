import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid } from '../../../domain/errors.ts';
import { text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { Product } from '../catalog/product.entity.ts';

/**
 * Before a product is put into a cart (platform facts 11): a cart keeps no custom options, so what must be entered cannot
 * be. Of a configurable product its own options count.
 *
 * Refused with: 400 a product with a required custom option, in the platform's words.
 */
export async function requireNoOptions(em: EntityManager, sku: string): Promise<void> {
  if ((await find.first(em, { sku })) === undefined) return;
  throw invalid("The product's required option(s) weren't entered. Make sure the options are entered and try again.");
}

const find = statement({
  takes: { sku: text },
  gives: of(Product, 'sku'),
  text: `
    select p.sku from product p
    where p.sku = $sku and exists (
      select from jsonb_array_elements(p.options) o where o ->> 'is_require' in ('true', '1'))`,
});
