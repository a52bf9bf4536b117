import { z } from 'zod';
import { eachOf } from '../../wire/each-of.ts';
import { idParam, payload, quantity, text } from '../../wire/schemas.ts';

/** Fields that only the server sets: ignored. The token decides whose cart it is. */
const readOver = ['name', 'price', 'productType', 'quoteId', 'productOption', 'extensionAttributes'] as const;

/** A line that a caller sends (platform facts 11); with an item id it changes that line. */
export const cartItemPayload = payload({
  sku: text(64).optional(),
  qty: quantity,
  itemId: idParam.optional(),
  ...eachOf(readOver, z.unknown().optional()),
}).meta({ id: 'CartItem' });
