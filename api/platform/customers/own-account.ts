import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { updateCustomer as save } from '../../../db/platform/customers/customers.ts';
import { changePassword, readOwnCredentials } from '../../../db/platform/customers/passwords.ts';
import { readCustomer } from '../../../db/platform/customers/read-customers.ts';
import type { SubscriptionInput } from '../../../db/platform/newsletter/subscribe.ts';
import { fieldRequired, PosError } from '../../../domain/errors.ts';
import { passwordError } from '../../../domain/platform/customers.ts';
import { customerEmailMissing, passwordNotMatching } from '../../../domain/refusals/customers.ts';
import { invalidInput } from '../../../domain/refusals/platform.ts';
import { route, type RouteContext } from '../../http/route.ts';
import { recognise } from '../../http/sign-in.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { isObject } from '../../wire/read-json.ts';
import { idParam, text } from '../../wire/schemas.ts';
import { exampleCustomer, weakPassword } from './customer-answer.ts';
import { customerAnswer, renderCustomer, customerPayload, toCustomerDraft } from './customer-payload.ts';

/** How a subscriber is asked to confirm: the platform only knows this hook. */
export interface SubscriberHooks {
  /** In the transaction of the save; returns what must be sent after the commit. */
  ask(em: EntityManager, subscriberId: number): Promise<number | undefined>;
  /** After the commit; the route does not wait for it. */
  send(request: number, context: Pick<RouteContext, 'workflows' | 'log'>): void;
}

/** The newsletter's part of a save: the wish, and `tell` for after the commit. */
export function subscriptionInput(hooks: SubscriberHooks, wantsNewsletter: boolean | undefined) {
  let request: number | undefined;
  const newsletter: SubscriptionInput = {
    wantsNewsletter,
    ask: async (em, subscriberId) => {
      request = await hooks.ask(em, subscriberId);
    },
  };
  const signalListener = (context: Pick<RouteContext, 'workflows' | 'log'>) => {
    if (request !== undefined) hooks.send(request, context);
  };
  return { newsletter, tell: signalListener };
}

/** `Id` is another word for `id`, and counts for nothing either. */
const ownPayload = z.preprocess(
  (input) => (isObject(input) ? Object.fromEntries(Object.entries(input).filter(([key]) => key !== 'Id')) : input),
  customerPayload,
);

const taken = 'A customer with the same email address already exists in an associated website.';

/**
 * Changes the sent fields of the calling customer (platform facts 8). Group, website and store stay: the shop decides
 * them. A repeat leaves the same customer.
 *
 * Refused with: 404 an address of another customer · 400 wrong fields, an e-mail that has an account.
 */
export const updateOwnCustomer = (hooks: SubscriberHooks) =>
  route({
    method: 'PUT',
    path: '/V1/customers/me',
    acl: 'self',
    name: 'updateOwnCustomer',
    summary: 'Change the customer who calls',
    description: `What is not sent stays; \`addresses\`, when sent, are the whole list. The id, the group, the website
and the store of the body
count for nothing.`,
    outcomes: [
      { status: 400, message: taken, when: 'Another account of the website has the e-mail.' },
      unknownEntity('An address is not one of theirs.'),
      customerEmailMissing,
    ],
    examples: [
      {
        title: 'Another name',
        body: { customer: { email: 'ann@example.com', firstname: 'Ann', lastname: 'Lee' } },
        response: exampleCustomer,
      },
    ],
    query: z.object({ customerId: idParam.optional() }),
    body: z.object({ customer: ownPayload }),
    response: customerAnswer,

    async handle({ em, query, body: { customer }, caller, workflows, log }) {
      // What is not sent is filled in from the caller's account only.
      const namesAnother =
        query.customerId !== undefined &&
        [query.customerId, customer.id ?? caller.userId].some((id) => id !== caller.userId);
      if (namesAnother && !customer.email) throw customerEmailMissing();
      const { newsletter, tell } = subscriptionInput(hooks, customer.extension_attributes?.isSubscribed);
      const draft = toCustomerDraft(customer);
      const { groupId: _group, websiteId: _website, storeId: _store, disableAutoGroupChange: _auto, ...own } = draft;
      await save(em, { customerId: caller.userId, draft: own, newsletter });
      tell({ workflows, log });
      const { row, addresses } = await readCustomer(em, caller.userId);
      return renderCustomer(row, addresses);
    },
  });

/** Longer than any valid password; its length has a refusal of its own. */
const maxPasswordLength = 1_000;

/**
 * Sets a new password for the calling customer and ends all of the customer's sessions (platform facts 8). A wrong
 * present password counts as a failed sign-in.
 *
 * Refused with: 401 a wrong password, one that was changed meanwhile, a locked account · 400 an empty field, a weak new
 * password.
 */
export const changeOwnPassword = route({
  method: 'PUT',
  path: '/V1/customers/me/password',
  acl: 'self',
  commits: 'several',
  name: 'changeOwnPassword',
  summary: 'Change the password of the customer who calls',
  description: 'Every token of the account ends, also the one of this call: sign in again with the new password.',
  outcomes: [passwordNotMatching, weakPassword],
  examples: [
    { title: 'Changed', body: { currentPassword: 'Roll-out-2026', newPassword: 'Roll-in-2027' }, response: true },
  ],
  body: z.object({ currentPassword: text(maxPasswordLength), newPassword: text(maxPasswordLength) }),
  response: z.literal(true),

  async handle(context) {
    const { em, body, caller, providers, now } = context;
    const { email, passwordHash: oldHash } = await checkPassword(context, body.currentPassword);
    const weakness = passwordError({ password: body.newPassword, email });
    if (weakness) throw invalidInput([weakness]);
    // Customers use the queue of sign-ins, not that of the shop's staff.
    const passwordHash = await providers.passwords.hash(body.newPassword, 'anonymous');
    if (!(await changePassword(em, { customerId: caller.userId, oldHash, passwordHash, now })))
      throw passwordNotMatching();
    return true as const;
  },
});

async function checkPassword(
  { em, caller, providers, now, clientAddress }: RouteContext,
  password: string,
): Promise<{ email: string; passwordHash: string }> {
  if (password === '') throw fieldRequired('currentPassword');
  const own = await readOwnCredentials(em, caller.userId);
  if (!own) throw passwordNotMatching();
  const { email, passwordHash } = own;
  try {
    await recognise({
      ...{ em, now, password, passwords: providers.passwords, userType: 'customer', username: email },
      entryPoint: 'own_password',
      address: clientAddress,
      find: async () => ({ userId: caller.userId, passwordHash, hasRole: false }),
    });
  } catch (error) {
    throw error instanceof PosError && error.status === 401 ? passwordNotMatching() : error;
  }
  // An account without a password accepts none.
  if (passwordHash === null) throw passwordNotMatching();
  return { email, passwordHash };
}
