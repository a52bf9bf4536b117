import type { EntityManager } from '@mikro-orm/postgresql';
import { invalid, invalidValue } from '../../../domain/errors.ts';
import { isLine } from '../../../domain/platform/catalog/product-attributes.ts';
import type { Given } from '../../support/given.ts';
import { TaxClass } from '../tax/tax.entity.ts';
import type { ProductDraft } from './product-draft.ts';
import type { Product } from './product.entity.ts';

/** Attributes that are whole numbers, wherever they are stored: readers cast them to `integer`. */
const wholeNumbers = ['tax_class_id', 'status', 'visibility'] as const;
const largest = 2_147_483_647;

/** Attributes in base currency: a register that works offline sells by what it reads. */
const prices = ['special_price', 'cost'] as const;

/**
 * Checks the attributes sent for a new or an existing product. Null removes a value, except the global name.
 *
 * Refused with 400: a number that its column cannot hold, a price that is below zero or no number, a list where a line
 * of text belongs, an empty name.
 */
export function checkAttributes(
  { name, customAttributes = {} }: Pick<Given<ProductDraft>, 'name' | 'customAttributes'>,
  isOfView: boolean,
): void {
  for (const code of wholeNumbers) {
    const value = customAttributes[code];
    if (value !== undefined && value !== null && !isWholeNumber(value)) throw invalidValue(code, shown(value));
  }
  for (const code of prices) {
    if (!isPrice(customAttributes[code])) throw invalid(notAPrice);
  }
  for (const [code, value] of Object.entries(customAttributes))
    if (isNested(value) && isLine(code)) throw badValue(code);
  if (name === undefined || (name === null && isOfView)) return;
  if (!name?.trim()) throw emptyAttribute('Product Name');
}

/** 400 for a class that goods do not have. 0 is none; the one that the product has stays. */
export async function refuseUnknownTaxClass(
  em: EntityManager,
  product: Product,
  { tax_class_id: given }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const classId = Number(given ?? 0);
  if (classId === 0 || classId === product.taxClassId) return;
  if ((await em.count(TaxClass, { classId, classType: 'PRODUCT' })) === 0)
    throw invalidValue('tax_class_id', shown(given));
}

export const notAPrice = 'Please enter a number 0 or greater in this field.';

export const emptyAttribute = (label: string) =>
  invalid('The "%1" attribute value is empty. Set the attribute and try again.', [label]);

const isNested = (value: unknown) => typeof value === 'object' && value !== null;

const badValue = (code: string) => invalid('Attribute "%1" has invalid value.', [code]);

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** Null and an empty text take the price away; a list is refused as such. Any number of decimals is a price. */
function isPrice(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || isNested(value)) return true;
  return /^\s*\d+(\.\d+)?\s*$/.test(shown(value));
}

/** An empty text counts as zero, as a form sends it. */
const isWholeNumber = (value: unknown): boolean =>
  (typeof value === 'number' || typeof value === 'string') && /^\d*$/.test(String(value)) && Number(value) <= largest;
