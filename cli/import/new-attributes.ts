import type { EntityManager } from '@mikro-orm/postgresql';
import { makeAttributes } from '../../db/platform/catalog/note-attributes.ts';
import { invalid } from '../../domain/errors.ts';
import { isAttributeCode, isReservedCode } from '../../domain/platform/catalog/attribute-code.ts';
import type { ImportOptions } from './import-kind.ts';
import { ownColumns, stockColumns, whyLeftOut } from './product-columns.ts';
import type { ShopFacts } from './shop-facts.ts';

export const unknownAttribute = 'the shop has no such attribute; --new-attributes makes it';

const noAttribute =
  'The shop has no attribute %1. Nothing was saved. Correct the column, or let the import make an attribute of it: --new-attributes.';

/**
 * Makes attributes of the columns that have no meaning, where the operator wants that. Of an export of another system such
 * columns are left out; of any other file they are refused with 400, because a typing mistake is no attribute.
 *
 * @returns the columns of which nothing is made, and why
 */
export async function attributesOfColumns(
  em: EntityManager,
  meaning: readonly (readonly [column: string, name: string])[],
  { shop, options }: { shop: ShopFacts; options: ImportOptions },
): Promise<Map<string, string>> {
  const leftOut = new Map<string, string>();
  const unknown: string[] = [];
  for (const [column, name] of meaning) {
    const why = whyLeftOut(column, options.source);
    if (why !== undefined) leftOut.set(column, why);
    else if (!ownColumns.has(name) && !Object.hasOwn(stockColumns, name) && !shop.attributes.has(name))
      unknown.push(name);
  }
  if (unknown.length === 0) return leftOut;
  if (options.newAttributes) await makeNew(em, unknown, shop);
  else if (options.from) for (const name of unknown) leftOut.set(name, unknownAttribute);
  else throw invalid(noAttribute, [unknown.map((name) => `"${name}"`).join(', ')]);
  return leftOut;
}

/** Makes attributes of these codes. Refused with 400: what cannot be a code. */
export async function makeNew(em: EntityManager, codes: readonly string[], shop: ShopFacts): Promise<void> {
  const wrong = codes.find((code) => !isAttributeCode(code) || isReservedCode(code));
  if (wrong !== undefined)
    throw invalid('"%1" cannot be an attribute: a code has small letters, digits and _, and no other meaning.', [
      wrong,
    ]);
  await makeAttributes(em, codes);
  for (const code of codes) shop.attributes.set(code, { code, input: 'text', scope: 'global', options: [] });
}
