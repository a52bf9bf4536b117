import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { isCustomer, readCustomer } from '../../../db/platform/customers/read-customers.ts';
import { createCustomer as save } from '../../../db/platform/customers/save-customer.ts';
import { invalid, invalidInput } from '../../../domain/errors.ts';
import { passwordError } from '../../../domain/platform/customers/password-error.ts';
import { route, type Caller } from '../../http/route.ts';
import { text } from '../../wire/schemas.ts';
import type { AccountMails } from './account-mails.ts';
import { customerAnswer } from './customer-answer.ts';
import { customerPayload, toCustomerDraft } from './customer-payload.ts';
import { renderCustomer } from './render-customer.ts';
import { subscriptionWish, type SubscriberHooks } from './subscriber-hooks.ts';
import { emailTaken, faultyCustomer, unknownGroupOfCustomer, weakPassword } from './customer-outcomes.ts';

/** Longer than any valid password; its length has a refusal of its own. */
const maxPasswordLength = 1_000;

/** Opens a customer account on the named website, or on that of the call's store (platform facts 8). */
export const createCustomer = (hooks: SubscriberHooks, mails: AccountMails) =>
  route({
    method: 'POST',
    path: '/V1/customers',
    acl: 'anonymous',
    summary: 'Open a customer account',
    name: 'createCustomer',
    description: `Opens an account on the website that is named, or on that of the path. Without a password the
      customer cannot sign in yet. A caller that may not manage customers gets the default group. \`is_subscribed\`
      subscribes to the newsletter; where the store asks to confirm, it stays false until then. Where
      \`customer/create_account/confirm\` is on, the customer confirms the e-mail before the first sign-in. A caller that
      may manage customers may set the \`confirmation\` that the account waits for.`,
    outcomes: [
      emailTaken,
      faultyCustomer,
      unknownGroupOfCustomer,
      {
        status: 400,
        message: 'This customer already exists in this store.',
        when: 'The body has the id of an account that exists.',
      },
      weakPassword,
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
      const draft = { ...toCustomerDraft(customer), ...permitted(caller, customer) };
      const weakness = password === undefined ? undefined : passwordError({ password, email: draft.email ?? '' });
      if (weakness) throw invalidInput([weakness]);
      const passwordHash =
        password === undefined ? undefined : await providers.passwords.hash(password, crowdOf(caller));
      const { newsletter, tell } = subscriptionWish(hooks, customer.extensionAttributes?.isSubscribed);
      let asked: number | undefined;
      const confirm = async (tx: EntityManager, customerId: number) => {
        asked = await mails.postConfirmation(tx, customerId);
      };
      const customerId = await save(em, { draft, currentStoreId: store.storeId, passwordHash, newsletter, confirm });
      tell({ workflows, log });
      if (asked !== undefined) mails.sendConfirmation(asked, { workflows, log });
      const { row, addresses } = await readCustomer(em, customerId);
      // A caller who opens an account must not read there what only its mail may tell.
      return renderCustomer({ ...row, confirmation: null }, addresses);
    },
  });

const permitted = (
  caller: Caller,
  { groupId, confirmation }: Pick<z.output<typeof customerPayload>, 'groupId' | 'confirmation'>,
) =>
  caller.can('Platform_Customer::manage')
    ? { groupId, confirmation: confirmation || undefined }
    : { groupId: undefined };

/** A caller without a token, or with a customer's, waits with others who are not staff. */
const crowdOf = ({ userType }: Caller) => (userType === 'guest' || userType === 'customer' ? 'anonymous' : 'staff');
