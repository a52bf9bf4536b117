import type { EntityManager } from '@mikro-orm/postgresql';
import { optionsMissing, requireOffered } from '../../../domain/platform/carts/cart-quantity.ts';
import { choicesOf, type ChosenOption, type KeptChoice } from '../../../domain/platform/catalog/chosen-options.ts';
import { childIds, configurableOptions } from '../../../domain/platform/catalog/configurable-options.ts';
import { integer, integers, json } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { linksKey, optionsKey } from '../catalog/configurable-products.ts';
import { Product } from '../catalog/product.entity.ts';
import { lookUpProductAttribute } from '../catalog/search-product-attributes.ts';
import type { Offer } from './read-offers.ts';

/** The simple product behind the choices of a configurable one. */
export interface Variant {
  sku: string;
  /** The configurable product. */
  parentId: number;
  choices: readonly KeptChoice[];
}

/**
 * Finds the simple product that a customer means (platform facts 9.1, 11): the first child that has every chosen value.
 *
 * Refused with 400: a product that is not sold here · a choice that is missing, made twice, or of another product; values
 * that no child has; an option whose attribute the shop does not have.
 */
export async function findVariant(em: EntityManager, parent: Offer, chosen: readonly ChosenOption[]): Promise<Variant> {
  requireOffered(parent);
  const row = await readParent.first(em, { productId: parent.productId });
  const stored = row?.extensionAttributes ?? {};
  const options = [];
  for (const { attribute_id: id, label } of configurableOptions(stored[optionsKey], parent.productId)) {
    const attribute = await lookUpProductAttribute(em, id);
    // A product may have been saved with an attribute that the shop does not know: nobody can choose its value.
    if (!attribute) throw optionsMissing();
    options.push({ attributeId: attribute.attribute_id, attributeCode: attribute.attribute_code, label });
  }
  const choices = choicesOf(options, chosen);
  if (!choices) throw optionsMissing();
  const values = Object.fromEntries(
    options.map(({ attributeCode }, at) => [attributeCode, String(choices[at]?.optionValue)]),
  );
  const child = await readChild.first(em, { ids: childIds(stored[linksKey]), values });
  if (!child) throw optionsMissing();
  return { sku: child.sku, parentId: parent.productId, choices };
}

const readParent = statement({
  takes: { productId: integer },
  gives: of(Product, 'extensionAttributes'),
  text: 'select extension_attributes from product where entity_id = $productId',
});

const readChild = statement({
  takes: { ids: integers, values: json<Record<string, string>>() },
  gives: of(Product, 'sku'),
  text: `
    select sku from product
    where entity_id = any($ids::integer[]) and not exists (
      select from jsonb_each_text($values::jsonb) v where custom_attributes ->> v.key is distinct from v.value)
    order by entity_id limit 1`,
});
