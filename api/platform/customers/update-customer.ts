import { z } from 'zod';
import { readCustomer } from '../../../db/platform/customers/read-customers.ts';
import { updateCustomer as save } from '../../../db/platform/customers/save-customer.ts';
import { route } from '../../http/route.ts';
import { idParam } from '../../wire/schemas.ts';
import { customerAnswer } from './customer-answer.ts';
import { customerPayload, toCustomerDraft } from './customer-payload.ts';
import { renderCustomer } from './render-customer.ts';
import { subscriptionWish, type SubscriberHooks } from './subscriber-hooks.ts';

/**
 * Changes what is sent of a customer and keeps the rest; `addresses`, when sent, are the whole list (platform facts 8).
 *
 * The same change twice leaves the same customer. Refused with: 404 unknown customer or address · 400 fields that are
 * wrong, an unknown group, an e-mail that has an account on the website.
 *
 * `is_subscribed` subscribes or unsubscribes; left out it stays. Where the store wants it confirmed, it turns true then.
 */
export const updateCustomer = (hooks: SubscriberHooks) =>
  route({
    method: 'PUT',
    path: '/V1/customers/:customerId',
    acl: 'Platform_Customer::manage',
    summary: 'Change a customer',
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
