import { z } from 'zod';
import { addressTexts } from '../../../db/platform/orders/order-address.entity.ts';
import { eachOf } from '../../support/each-of.ts';
import { integer, payload, text } from '../../support/schemas.ts';

/** An order's address as a caller sends it. What only the server sets is read over, so that a read can be sent back. */
export const addressPayload = payload({
  ...eachOf(addressTexts, text(255).optional()),
  ...eachOf(['regionId', 'customerId', 'customerAddressId'], integer.optional()),
  ...eachOf(['entityId', 'parentId', 'addressType', 'extensionAttributes'], z.unknown().optional()),
  street: z.union([z.array(text(255)).max(20), text(255).transform((line) => [line])]).optional(),
}).transform(({ entityId: _id, parentId: _parent, addressType: _type, extensionAttributes: _more, ...sent }) => sent);
