import { z } from 'zod';
import { eachOf } from '../../wire/each-of.ts';
import { idParam, payload, quantity, text } from '../../wire/schemas.ts';

/** What only the server says; whose cart is meant comes from the token, whatever is sent. */
const readOver = ['name', 'price', 'productType', 'quoteId', 'productOption', 'extensionAttributes'] as const;

/** A line as a caller sends one (platform facts 11); with an item id it is the line of that id that is changed. */
export const cartItemPayload = payload({
  sku: text(64).optional(),
  qty: quantity,
  itemId: idParam.optional(),
  ...eachOf(readOver, z.unknown().optional()),
}).meta({ id: 'CartItem' });
