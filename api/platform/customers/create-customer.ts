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
import { emailTaken, faultyCustomer, unknownGroupOfCustomer } from './customer-outcomes.ts';

/** Longer than any valid password; its length has a refusal of its own. */
const maxPasswordLength = 1_000;

/** Opens a customer account on the named website, or on that of the call's store (platform facts 8). */
export const createCustomer = (hooks: SubscriberHooks) =>
  route({
    method: 'POST',
    path: '/V1/customers',
    acl: 'anonymous',
    summary: 'Open a customer account',
    name: 'createCustomer',
    description: `Opens an account on the website that is named, or on that of the path. Without a password the
      customer cannot sign in yet. A caller that may not manage customers gets the default group. \`is_subscribed\`
      subscribes to the newsletter; where the store asks to confirm, it stays false until then.`,
    outcomes: [
      emailTaken,
      faultyCustomer,
      unknownGroupOfCustomer,
      {
        status: 400,
        message: 'This customer already exists in this store.',
        when: 'The body has the id of an account that exists.',
      },
      {
        status: 400,
        message: 'The password needs at least %1 characters. Create a new password and try again.',
        when: 'The password is weak; other sentences say what else it lacks.',
      },
    ],
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

/** A caller without a token, or with a customer's, waits with others who are not staff. */
const crowdOf = ({ userType }: Caller) => (userType === 'guest' || userType === 'customer' ? 'anonymous' : 'staff');
