import { z } from 'zod';
import { isCustomer, readCustomer } from '../../../db/platform/customers/read-customers.ts';
import { createCustomer as save } from '../../../db/platform/customers/save-customer.ts';
import { invalid, invalidInput } from '../../../domain/errors.ts';
import { passwordError } from '../../../domain/platform/customers/password-error.ts';
import { route, type Caller } from '../../http/route.ts';
import { text } from '../../wire/schemas.ts';
import { customerAnswer } from './customer-answer.ts';
import { customerPayload, toCustomerDraft } from './customer-payload.ts';
import { renderCustomer } from './render-customer.ts';
import { subscriptionWish, type SubscriberHooks } from './subscriber-hooks.ts';

/** Longer than any password that is taken: how long one may be is a refusal of its own. */
const maxPasswordLength = 1_000;

/**
 * Opens a customer account on the website named, or on that of the store the call runs in (platform facts 8).
 *
 * Without a password nobody can sign in to it yet. The group of a caller who may not manage customers is dropped for
 * the default one. One more account on each call, one per e-mail and website. Refused with 400: fields that are missing
 * or wrong, an e-mail that has an account, an unknown group, a weak password, the id of an account there is.
 *
 * `is_subscribed` subscribes to the newsletter; where the store wants that confirmed, it stays false until it is.
 */
export const createCustomer = (hooks: SubscriberHooks) =>
  route({
    method: 'POST',
    path: '/V1/customers',
    acl: 'anonymous',
    summary: 'Open a customer account',
    body: z.object({
      customer: customerPayload,
      password: text(maxPasswordLength).optional(),
      redirectUrl: z.unknown().optional(),
    }),
    response: customerAnswer,

    async handle({ em, body: { customer, password }, caller, store, providers, workflows, log }) {
      if (customer.id && (await isCustomer(em, customer.id)))
        throw invalid('This customer already exists in this store.');
      const draft = { ...toCustomerDraft(customer), groupId: permittedGroup(caller, customer.groupId) };
      const weakness = password === undefined ? undefined : passwordError({ password, email: draft.email ?? '' });
      if (weakness) throw invalidInput([weakness]);
      const passwordHash =
        password === undefined ? undefined : await providers.passwords.hash(password, crowdOf(caller));
      const { newsletter, tell } = subscriptionWish(hooks, customer.extensionAttributes?.isSubscribed);
      const customerId = await save(em, { draft, currentStoreId: store.storeId, passwordHash, newsletter });
      tell({ workflows, log });
      const { row, addresses } = await readCustomer(em, customerId);
      return renderCustomer(row, addresses);
    },
  });

const permittedGroup = (caller: Caller, groupId: number | undefined) =>
  caller.can('Platform_Customer::manage') ? groupId : undefined;

/** Whoever has no token, or a customer's, waits with the others who are not staff. */
const crowdOf = ({ userType }: Caller) => (userType === 'guest' || userType === 'customer' ? 'anonymous' : 'staff');
