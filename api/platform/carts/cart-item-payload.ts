import { z } from 'zod';
import type { ChosenOption } from '../../../domain/platform/catalog/chosen-options.ts';
import { eachOf } from '../../wire/each-of.ts';
import { idParam, integer, payload, quantity, text } from '../../wire/schemas.ts';

/** Fields that only the server sets: ignored. The token decides whose cart it is. */
const readOver = ['name', 'price', 'productType', 'quoteId', 'extensionAttributes'] as const;

/** Options of types of products that carts do not take: ignored. */
const otherTypes = ['customOptions', 'bundleOptions', 'downloadableOption', 'giftcardItemOption'] as const;

const ignored = z.unknown().optional();

/** More options than a product has. */
const mostOptions = 100;

const chosenOption = payload({ optionId: text(60), optionValue: integer, extensionAttributes: ignored });

const productOption = payload({
  extensionAttributes: payload({
    configurableItemOptions: z.array(chosenOption).max(mostOptions).optional(),
    ...eachOf(otherTypes, ignored),
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

/** What was chosen of a configurable product; undefined: nothing was sent. */
export const chosenIn = ({ productOption: given }: z.output<typeof cartItemPayload>): ChosenOption[] | undefined =>
  given?.extensionAttributes?.configurableItemOptions;
