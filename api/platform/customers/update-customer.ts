import { z } from 'zod';
import { readCustomer } from '../../../db/platform/customers/read-customers.ts';
import { updateCustomer as save } from '../../../db/platform/customers/save-customer.ts';
import { route } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam } from '../../wire/schemas.ts';
import { customerAnswer } from './customer-answer.ts';
import { customerPayload, toCustomerDraft } from './customer-payload.ts';
import { renderCustomer } from './render-customer.ts';
import { subscriptionWish, type SubscriberHooks } from './subscriber-hooks.ts';
import { emailTaken, faultyCustomer, unknownGroupOfCustomer } from './customer-outcomes.ts';

/**
 * Changes the sent fields of a customer and keeps the rest. `addresses`, when sent, is the whole list (platform facts
 * 8).
 */
export const updateCustomer = (hooks: SubscriberHooks) =>
  route({
    method: 'PUT',
    path: '/V1/customers/:customerId',
    acl: 'Platform_Customer::manage',
    summary: 'Change a customer',
    name: 'updateCustomer',
    description: `What you leave out stays; \`addresses\`, where sent, are the whole list. The same change twice
      leaves the same customer. \`is_subscribed\` subscribes or unsubscribes.`,
    outcomes: [
      unknownEntity('There is no customer, or no address, of this id.'),
      emailTaken,
      faultyCustomer,
      unknownGroupOfCustomer,
    ],
    params: z.object({ customerId: idParam }),
    body: z.object({ customer: customerPayload }),
    response: customerAnswer,

    async handle({ em, params: { customerId }, body: { customer }, workflows, log }) {
      const { newsletter, tell } = subscriptionWish(hooks, customer.extensionAttributes?.isSubscribed);
      await save(em, { customerId, draft: toCustomerDraft(customer), newsletter });
      tell({ workflows, log });
      const { row, addresses } = await readCustomer(em, customerId);
      return renderCustomer(row, addresses);
    },
  });
