import { z } from 'zod';
import { readOrder } from '../../../db/platform/orders/read-orders.ts';
import { saveOrderAddress } from '../../../db/platform/orders/save-order-address.ts';
import { noSuchDocument } from '../../../domain/errors.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { ownAddressPayload } from './address-payload.ts';
import { addressAnswer } from './order-answer.ts';
import { renderAddress } from './render-order.ts';

const example = {
  entity_id: 51,
  parent_id: 42,
  address_type: 'billing' as const,
  firstname: 'Ann',
  lastname: 'Lee',
  street: ['1 Main St'],
  city: 'Troy',
  country_id: 'US',
};

/** Saves an address of an order (platform facts 5.4). See `saveOrderAddress`. */
export const saveOrderAddressRoute = route({
  name: 'saveOrderAddress',
  method: 'PUT',
  path: '/V1/orders/:parent_id',
  acl: 'Platform_Sales::create',
  summary: 'Save an address of an order',
  description:
    'What is sent is changed, the rest stays. `entity_id` says which address; without it `address_type` does, and an address ' +
    'that the order does not have yet is added. Documents and mails that were made before keep what they said. A repeat ' +
    'leaves the same address.',
  outcomes: [
    {
      status: 404,
      message: "The entity that was requested doesn't exist. Verify the entity and try again.",
      when: 'The order is unknown, or the address in `entity_id` belongs to another order.',
    },
  ],
  examples: [
    {
      title: 'A new street',
      params: { parent_id: 42 },
      body: { entity: { entity_id: 51, street: ['1 Main St'], city: 'Troy' } },
      response: example,
    },
  ],
  params: z.object({ parent_id: idParam }),
  body: z.object({ entity: ownAddressPayload }),
  response: addressAnswer,

  async handle({ em, params: { parent_id: orderId }, body }) {
    const saved = await saveOrderAddress(em, { orderId, ...body.entity });
    const { addresses } = await readOrder(em, orderId);
    const row = addresses.find((one) => one['entity_id'] === saved.entityId);
    if (!row) throw noSuchDocument();
    return renderAddress(row);
  },
});
