import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, noSuchEntity } from '../../../domain/errors.ts';
import { inOrder, type CustomOption } from '../../../domain/platform/catalog/custom-option.ts';
import {
  optionOf,
  savedOption,
  savedOptions,
  type OptionDraft,
} from '../../../domain/platform/catalog/save-custom-options.ts';
import { integer, surely } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { transact } from '../../support/transact.ts';
import { lockProduct } from './lock-product.ts';
import type { Product } from './product.entity.ts';

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
 * Replaces the options of a locked product; absent: they stay. Safe to repeat. Refused as `savedOptions`, and with 400: too
 * many options.
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
  if (options.length > mostOptions)
    throw invalid('Maximum items of type "%type" is %max', { type: 'customOption', max: mostOptions });
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

const draw = statement({
  takes: { count: integer },
  gives: { id: surely(integer) },
  text: `select nextval('product_option_id')::int as id from generate_series(1, $count::int) order by 1 desc`,
});
