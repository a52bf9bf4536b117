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

const words = {
  ...eachOf(addressTexts, text(255).optional()),
  ...eachOf(['regionId', 'customerId', 'customerAddressId'], integer.optional()),
  ...eachOf(readOver, z.unknown().optional()),
  street: z.union([z.array(text(255)).max(20), text(255).transform((line) => [line])]).optional(),
};

/** An order's address as a caller sends it. What only the server sets is read over, so that a read can be sent back. */
export const addressPayload = payload(words)
  .transform((given) => without(given, readOver))
  .meta({ id: 'OrderAddress' });

/** The same where the address itself is saved: its id or its type says which one. */
export const ownAddressPayload = payload({
  ...words,
  entityId: integer.optional(),
  addressType: z.enum(['billing', 'shipping']).default('billing'),
}).transform(({ entityId, addressType, ...given }) => ({
  entityId,
  addressType,
  address: without({ ...given, entityId, addressType }, readOver),
}));
