import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import {
  inOrder,
  isLinkType,
  isSameLink,
  linkTypeOf,
  optionOf,
  savedOption,
  savedOptions,
  type CustomOption,
  type LinkDraft,
  type OptionDraft,
  type ProductLink,
} from '../../../domain/platform/catalog/custom-options.ts';
import { skuKey } from '../../../domain/platform/catalog/tier-rows.ts';
import { linkTypeUnknown, linkedProductMissing } from '../../../domain/refusals/catalog.ts';
import { tooManyItems } from '../../../domain/refusals/platform.ts';
import { isAmongSkus } from '../../support/columns.ts';
import { sql } from '../../support/sql.ts';
import { transact } from '../../support/transact.ts';
import { Product } from './product.entity.ts';
import { findProduct } from './find-product.ts';
import { noSuchProduct } from './read-products.ts';
import { lockProduct } from './product-places.ts';

/**
 * A product's links of one type, in the order of their positions, and its sku as it is stored. Refused with 404: an
 * unknown type, an unknown sku.
 */
export async function readLinks(em: EntityManager, { sku: input, type }: { sku: string; type: string }) {
  if (!isLinkType(type)) throw linkTypeUnknown([type]);
  const { sku, product_links: all } = await findProduct(em, input);
  const links = all.filter((link) => link.link_type === type).toSorted((one, other) => one.position - other.position);
  return { sku, links };
}

/**
 * Replaces the links of each type that is named; links of other types stay. Safe to repeat.
 *
 * Refused with: 404 an unknown sku, an unknown linked product, an unknown type · 400 a link without a type.
 */
export const replaceLinks = (em: EntityManager, { sku, drafts }: { sku: string; drafts: readonly LinkDraft[] }) =>
  withLinks(em, sku, async (tx, links) => {
    const requested = await productLinks(tx, drafts);
    const named = new Set(requested.map((link) => link.link_type));
    return [...links.filter((link) => !named.has(link.link_type)), ...requested];
  });

/** Adds a link, or changes its position. Safe to repeat. Refused as `replaceLinks`. */
export const putLink = (em: EntityManager, { sku, draft }: { sku: string; draft: LinkDraft }) =>
  withLinks(em, sku, async (tx, links) => {
    const requested = await productLinks(tx, [draft]);
    return [...links.filter((link) => !requested.some((one) => isSameLink(link, one))), ...requested];
  });

/** Removes a link. Refused with 404: an unknown sku or type, no such link, and so a repeat. */
export async function dropLink(em: EntityManager, place: { sku: string; type: string; linkedSku: string }) {
  const { sku, type, linkedSku } = place;
  // The type is told before the product.
  await readLinks(em, place);
  await withLinks(em, sku, async (_tx, links) => {
    const stored = links.filter(
      (link) => link.link_type !== type || skuKey(link.linked_product_sku) !== skuKey(linkedSku),
    );
    if (stored.length === links.length) throw linkedProductMissing([sku, linkedSku, type]);
    return stored;
  });
}

/**
 * Links as a product keeps them, with the types of the linked products. A link that is named twice is kept as it was
 * named last. Refused with: 400 a link without a type · 404 an unknown type, an unknown linked product.
 */
export async function productLinks(em: EntityManager, drafts: readonly LinkDraft[]): Promise<ProductLink[]> {
  const named = drafts.map((draft) => ({ ...draft, type: linkTypeOf(draft) }));
  if (named.length === 0) return [];
  const found = await typesOf.all(em, { skus: named.map(({ linkedProductSku }) => linkedProductSku) });
  const known = new Map(found.map((product) => [skuKey(product.sku), product]));
  const links = new Map<string, ProductLink>();
  for (const { type, linkedProductSku, position = 0, qty } of named) {
    const linked = known.get(skuKey(linkedProductSku));
    if (linked === undefined) throw noSuchProduct();
    links.set(`${type} ${linked.sku}`, {
      ...{ link_type: type, linked_product_sku: linked.sku, linked_product_type: linked.typeId, position },
      ...(qty === undefined ? {} : { extension_attributes: { qty } }),
    });
  }
  return [...links.values()];
}

/** Takes the links to a product out of every other one. */
export const forgetLinksTo = (em: EntityManager, sku: string) => forget.run(em, { sku });

const forget = sql('product-links.forget')`
  update product set updated_at = now(), product_links = coalesce((
    select jsonb_agg(l.link order by l.place) from jsonb_array_elements(product_links) with ordinality as l (link,
      place)
    where l.link ->> 'linked_product_sku' <> $sku), '[]')
  where product_links @> jsonb_build_array(jsonb_build_object('linked_product_sku', $sku::text))`;

type Change = (tx: EntityManager, links: readonly ProductLink[]) => Promise<ProductLink[]>;

const withLinks = (em: EntityManager, sku: string, change: Change): Promise<void> =>
  transact(em, async (tx) => {
    const product = await lockProduct(tx, sku);
    product.productLinks = await change(tx, product.productLinks);
    await tx.flush();
  });

const typesOf = sql('product-links.typesOf')`
  select sku, type_id from product where ${isAmongSkus('sku')} order by sku for key share`;

/** A limit well above the options of any product. */
const mostOptions = 200;

/**
 * Adds an option to a product, or changes the one whose id the draft has (platform facts 9.1). Each call without an id
 * adds one.
 *
 * Refused with: 404 unknown sku, an option that is not the product's · 400 as `savedOption`, too many options.
 */
export const saveOption = (em: EntityManager, sku: string, draft: OptionDraft): Promise<CustomOption> =>
  withOptions(em, sku, async (tx, product) => {
    const known = draft.optionId === undefined ? undefined : optionOf(product.options, draft.optionId);
    const option = savedOption(known, draft, await idsFor(tx, [draft]));
    setOptions(product, inOrder([...product.options.filter((one) => one !== known), option]));
    return option;
  });

/** Removes an option. Refused with 404: unknown sku, an option that is not the product's, and so a repeat. */
export const removeOption = (em: EntityManager, sku: string, optionId: number): Promise<void> =>
  withOptions(em, sku, async (_tx, product) => {
    findOption(product.options, optionId);
    setOptions(
      product,
      product.options.filter((one) => one.optionId !== optionId),
    );
  });

/** One option of a product. Refused with 404: it has none of this id. */
export function findOption(options: readonly CustomOption[], optionId: number): CustomOption {
  const option = options.find((one) => one.optionId === optionId);
  if (!option) throw noSuchEntity('optionId', optionId);
  return option;
}

/**
 * Replaces the options of a locked product; absent: they stay. Safe to repeat. Refused as `savedOptions`, and with 400:
 * too many options.
 */
export async function replaceOptions(
  em: EntityManager,
  product: Product,
  drafts: readonly OptionDraft[] | undefined,
): Promise<void> {
  const known = product.options ?? [];
  setOptions(product, drafts ? savedOptions(known, drafts, await idsFor(em, drafts)) : known);
}

const withOptions = <Result>(
  em: EntityManager,
  sku: string,
  change: (tx: EntityManager, product: Product) => Promise<Result>,
): Promise<Result> =>
  transact(em, async (tx) => {
    const product = await lockProduct(tx, sku);
    const result = await change(tx, product);
    await tx.flush();
    return result;
  });

/** The attributes that tell of options follow them, where the product has or had any. */
function setOptions(product: Product, options: CustomOption[]): void {
  if (options.length > mostOptions) throw tooManyItems({ type: 'customOption', max: mostOptions });
  product.options = options;
  if (options.length === 0 && product.customAttributes?.['has_options'] === undefined) return;
  // The colour or the size of a configurable product is one too.
  const isConfigurable = product.typeId === 'configurable';
  product.customAttributes = {
    ...product.customAttributes,
    has_options: isConfigurable || options.length > 0 ? '1' : '0',
    required_options: isConfigurable || options.some(({ isRequire }) => isRequire) ? '1' : '0',
  };
}

/** Ids for all that drafts may need; some are drawn in vain. */
async function idsFor(em: EntityManager, drafts: readonly OptionDraft[]): Promise<() => number> {
  const count = drafts.reduce((sum, { values = [] }) => sum + 1 + values.length, 0);
  const ids = count === 0 ? [] : (await draw.all(em, { count })).map(({ id }) => id);
  return () => {
    const id = ids.pop();
    if (id === undefined) throw new Error('no id for an option');
    return id;
  };
}

const draw = sql('product-links.draw')`
  select nextval('product_option_id') as id from generate_series(1, $count::int) order by 1 desc`;
