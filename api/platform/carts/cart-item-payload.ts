import { z } from 'zod';
import type { ChosenOption } from '../../../domain/platform/catalog/chosen-options.ts';
import type { SentOption } from '../../../domain/platform/catalog/entered-options.ts';
import { invalid } from '../../../domain/errors.ts';
import { eachOf } from '../../wire/each-of.ts';
import { idParam, integer, payload, quantity, text } from '../../wire/schemas.ts';

/** Fields that only the server sets: ignored. The token decides whose cart it is. */
const readOver = ['name', 'price', 'productType', 'quoteId', 'extensionAttributes'] as const;

/** Options that a cart cannot keep: refused, unless they are empty. */
const otherOptions = ['bundleOptions', 'downloadableOption', 'giftcardItemOption'] as const;

const ignored = z.unknown().optional();

/** More options than a product has. */
const mostOptions = 200;

/** Of what is entered, or of the ids of chosen values. */
const longestValue = 10_000;

const chosenOption = payload({ optionId: text(60), optionValue: integer, extensionAttributes: ignored });

const enteredOption = payload({
  optionId: text(60),
  optionValue: text(longestValue).default(''),
  extensionAttributes: ignored,
});

const productOption = payload({
  extensionAttributes: payload({
    customOptions: z.array(enteredOption).max(mostOptions).optional(),
    configurableItemOptions: z.array(chosenOption).max(mostOptions).optional(),
    ...eachOf(otherOptions, ignored),
  }).optional(),
}).meta({ id: 'ProductOption' });

/** A line that a caller sends (platform facts 11); with an item id it changes that line. */
export const cartItemPayload = payload({
  sku: text(64).optional(),
  qty: quantity,
  itemId: idParam.optional(),
  productOption: productOption.optional(),
  ...eachOf(readOver, ignored),
}).meta({ id: 'CartItem' });

/** What is sent of a line's options; absent: nothing. */
interface SentOptions {
  /** Of a configurable product. */
  chosen?: ChosenOption[] | undefined;
  /** Custom ones. An empty list is nothing, as on the platform. */
  entered?: SentOption[] | undefined;
}

/**
 * What was chosen and entered for a line.
 *
 * Refused with: 400 options that a cart cannot keep, such as those of a bundle: they would be lost without a word (our
 * choice).
 */
export function optionsIn({ productOption: given }: z.output<typeof cartItemPayload>): SentOptions {
  const sent = given?.extensionAttributes;
  const fieldName = otherOptions.find((name) => !isEmpty(sent?.[name]));
  if (fieldName !== undefined) throw invalid(...optionsNotKept(fieldName));
  const entered = sent?.customOptions;
  return {
    chosen: sent?.configurableItemOptions,
    entered: entered?.length ? entered : undefined,
  };
}

const optionsNotKept = (fieldName: string) =>
  ['A cart cannot keep the %fieldName of a product. Send the line without them.', { fieldName }] as const;

/** Nothing at all, also within lists and objects: clients send those for options that they do not use. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  return typeof value === 'object' && Object.values(value).every(isEmpty);
}
