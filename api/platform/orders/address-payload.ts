import { z } from 'zod';
import { addressTexts } from '../../../db/platform/orders/order-address.entity.ts';
import { eachOf } from '../../wire/each-of.ts';
import { integer, payload, text } from '../../wire/schemas.ts';
import { without } from '../../wire/without.ts';

const readOver = [
  'entityId',
  'parentId',
  'addressType',
  'vatIsValid',
  'vatRequestId',
  'vatRequestDate',
  'vatRequestSuccess',
  'extensionAttributes',
] as const;

/**
 * An order's address that a caller sends. Fields that only the server sets are ignored, so that an answer can be sent
 * back.
 */
export const addressPayload = payload({
  ...eachOf(addressTexts, text(255).optional()),
  ...eachOf(['regionId', 'customerId', 'customerAddressId'], integer.optional()),
  ...eachOf(readOver, z.unknown().optional()),
  street: z.union([z.array(text(255)).max(20), text(255).transform((line) => [line])]).optional(),
}).transform((given) => without(given, readOver));
