import { z } from 'zod';
import type { EntityManager } from '@mikro-orm/postgresql';
import { deleteCustomer, notSettled } from '../../../db/platform/customers/find-customer-groups.ts';
import { isEmailFree } from '../../../db/platform/customers/is-email-free.ts';
import { isCustomer, readCustomer, readCustomerAddresses } from '../../../db/platform/customers/read-customers.ts';
import {
  createCustomer as openAccount,
  updateCustomer as changeAccount,
} from '../../../db/platform/customers/customers.ts';
import { searchCustomers as search } from '../../../db/platform/customers/search-customers.ts';
import { readConfigValue } from '../../../db/platform/stores/read-config-value.ts';
import { type InputError } from '../../../domain/errors.ts';
import { customerErrors, passwordError } from '../../../domain/platform/customers.ts';
import { customerExistsInStore, customerHasCredit, noSuchCustomerGroup } from '../../../domain/refusals/customers.ts';
import { attributeNameNotValid, invalidInput } from '../../../domain/refusals/platform.ts';
import { done, type AnyRoute, type Caller, route } from '../../http/route.ts';
import { unknownEntity } from '../../wire/outcomes.ts';
import { idParam, listAnswer, recordId, text } from '../../wire/schemas.ts';
import { renderList, searchCriteria } from '../../wire/criteria.ts';
import { confirmationRoutes, addressRoutes } from './account-confirmation.ts';
import { passwordResetRoutes, type AccountMails } from './password-reset.ts';
import { emailTaken, faultyCustomer, unknownCustomer, weakPassword } from './customer-answer.ts';

import { changeOwnPassword, updateOwnCustomer, subscriptionInput, type SubscriberHooks } from './own-account.ts';
import { customerAnswer, renderCustomer, customerPayload, toCustomerDraft } from './customer-payload.ts';

/** One customer with the addresses (platform facts 8). */
const getCustomer = route({
  method: 'GET',
  path: '/V1/customers/:customerId',
  acl: 'Platform_Customer::customer',
  summary: 'One customer',
  name: 'getCustomer',
  description: 'One customer with the addresses.',
  outcomes: [unknownEntity('There is no customer of this id.')],
  params: z.object({ customerId: idParam }),
  response: customerAnswer,

  async handle({ reader, params: { customerId } }) {
    const { row, addresses } = await readCustomer(reader, customerId);
    return renderCustomer(row, addresses);
  },
});

/** The customer who calls, with the addresses (platform facts 8). */
const getOwnCustomer = route({
  method: 'GET',
  path: '/V1/customers/me',
  acl: 'self',
  summary: 'The customer who calls',
  name: 'getOwnCustomer',
  description: 'Who it is comes from the token.',
  outcomes: [],
  response: customerAnswer,

  async handle({ em, caller }) {
    const { row, addresses } = await readCustomer(em, caller.userId);
    return renderCustomer(row, addresses);
  },
});

/**
 * Searches customers by `searchCriteria`, also by their billing address. The answer has their addresses (platform facts
 * 8).
 */
export const searchCustomers = route({
  method: 'GET',
  path: '/V1/customers/search',
  acl: 'Platform_Customer::customer',
  summary: 'Search customers',
  name: 'searchCustomers',
  description: `Customers with their addresses. Fields of the billing address can be searched as well, such as
    \`billing_telephone\`. \`searchCriteria\` is required: send \`searchCriteria[current_page]=1\` for all. Filtered by
    \`updated_at\` from a moment on, the list also has those who were erased or deleted since, without their data:
    \`extension_attributes.is_erased\`.`,
  outcomes: [attributeNameNotValid],
  query: z.object({ searchCriteria }),
  response: listAnswer(customerAnswer),

  async handle({ reader, query: { searchCriteria: criteria } }) {
    const { rows, totalCount } = await search(reader, criteria);
    const addresses = await readCustomerAddresses(
      reader,
      rows.map(({ id }) => id),
    );
    const customers = rows.map((row) => renderCustomer(row, addresses.get(row.id) ?? []));
    return renderList(criteria, customers, totalCount);
  },
});

/** Longer than any valid password; its length has a refusal of its own. */
const maxPasswordLength = 1_000;

/** Opens a customer account on the named website, or on that of the call's store (platform facts 8). */
const createCustomer = (hooks: SubscriberHooks, mails: AccountMails) =>
  route({
    method: 'POST',
    path: '/V1/customers',
    acl: 'anonymous',
    summary: 'Open a customer account',
    name: 'createCustomer',
    description: `Opens an account on the website that is named, or on that of the path. Without a password the
      customer cannot sign in yet. A caller that may not manage customers gets the default group. \`is_subscribed\`
      subscribes to the newsletter; where the store asks to confirm, it stays false until then. Where
      \`customer/create_account/confirm\` is on, the customer confirms the e-mail before the first sign-in. A caller
that
      may manage customers may set the \`confirmation\` that the account waits for.`,
    outcomes: [emailTaken, faultyCustomer, noSuchCustomerGroup, customerExistsInStore, weakPassword],
    body: z.object({
      customer: customerPayload,
      password: text(maxPasswordLength).optional(),
      redirectUrl: z.unknown().optional(),
    }),
    response: customerAnswer,

    async handle({ em, body: { customer, password }, caller, store, providers, workflows, log }) {
      if (customer.id && (await isCustomer(em, customer.id))) throw customerExistsInStore();
      const draft = { ...toCustomerDraft(customer), ...permitted(caller, customer) };
      const weakness = password === undefined ? undefined : passwordError({ password, email: draft.email ?? '' });
      if (weakness) throw invalidInput([weakness]);
      const passwordHash =
        password === undefined ? undefined : await providers.passwords.hash(password, crowdOf(caller));
      const { newsletter, tell } = subscriptionInput(hooks, customer.extension_attributes?.isSubscribed);
      let request: number | undefined;
      const confirm = async (tx: EntityManager, customerId: number) => {
        request = await mails.postConfirmation(tx, customerId);
      };
      const customerId = await openAccount(em, {
        draft,
        currentStoreId: store.storeId,
        passwordHash,
        newsletter,
        confirm,
      });
      tell({ workflows, log });
      if (request !== undefined) mails.sendConfirmation(request, { workflows, log });
      const { row, addresses } = await readCustomer(em, customerId);
      // A caller who opens an account must not read there what only its mail may tell.
      return renderCustomer({ ...row, confirmation: null }, addresses);
    },
  });

const permitted = (
  caller: Caller,
  { group_id: groupId, confirmation }: Pick<z.output<typeof customerPayload>, 'group_id' | 'confirmation'>,
) =>
  caller.can('Platform_Customer::manage')
    ? { groupId, confirmation: confirmation || undefined }
    : { groupId: undefined };

/** A caller without a token, or with a customer's, waits with others who are not staff. */
const crowdOf = ({ userType }: Caller) => (userType === 'guest' || userType === 'customer' ? 'anonymous' : 'staff');

/**
 * Changes the sent fields of a customer and keeps the rest. `addresses`, when sent, is the whole list (platform facts
 * 8).
 */
const updateCustomer = (hooks: SubscriberHooks) =>
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
      noSuchCustomerGroup,
    ],
    params: z.object({ customerId: idParam }),
    body: z.object({ customer: customerPayload }),
    response: customerAnswer,

    async handle({ em, params: { customerId }, body: { customer }, workflows, log }) {
      const { newsletter, tell } = subscriptionInput(hooks, customer.extension_attributes?.isSubscribed);
      await changeAccount(em, { customerId, draft: toCustomerDraft(customer), newsletter });
      tell({ workflows, log });
      const { row, addresses } = await readCustomer(em, customerId);
      return renderCustomer(row, addresses);
    },
  });

/**
 * Deletes an account; its orders and receipts stay (platform facts 8). A repeat is a 404.
 *
 * Refused with: 404 unknown customer · 400 the account has a wallet or points, or orders that are not settled.
 */
const deleteCustomerRoute = route({
  method: 'DELETE',
  path: '/V1/customers/:customerId',
  acl: 'Platform_Customer::delete',
  name: 'deleteCustomer',
  summary: 'Delete a customer',
  description: `With the addresses, the cart, the wish list and the newsletter, and signs the account out. Orders,
    returns and receipts keep
what they say of the customer.`,
  outcomes: [
    unknownCustomer,
    customerHasCredit,
    {
      status: 400,
      message: notSettled,
      when: 'An order is owed, an open layaway, or still gives back credit or points.',
    },
  ],
  examples: [{ title: 'Deleted', params: { customerId: 7 }, response: true }],
  params: z.object({ customerId: idParam }),
  response: z.literal(true),

  handle: ({ em, params: { customerId }, now }) => done(deleteCustomer(em, { customerId, now })),
});

/** Whether an account is read-only; never so (platform facts 8). Refused with 404: an unknown customer. */
const isCustomerReadOnly = route({
  method: 'GET',
  path: '/V1/customers/:customerId/permissions/readonly',
  acl: 'Platform_Customer::manage',
  name: 'isCustomerReadOnly',
  summary: 'Whether a customer can only be read',
  description: 'Always false: every account can be changed.',
  outcomes: [unknownCustomer],
  examples: [{ title: 'It can be changed', params: { customerId: 1 }, response: false }],
  params: z.object({ customerId: idParam }),
  response: z.literal(false),

  async handle({ em, params: { customerId } }) {
    await readCustomer(em, customerId);
    return false as const;
  },
});

/** Off by default: otherwise a stranger could find out who has an account. */
const tellsPath = 'checkout/options/enable_guest_checkout_login';

/**
 * Whether an account can be opened with an e-mail (platform facts 8). Always true, unless the merchant lets guests
 * learn who has an account.
 */
const isEmailAvailable = route({
  method: 'POST',
  path: '/V1/customers/isEmailAvailable',
  acl: 'anonymous',
  name: 'isEmailAvailable',
  summary: 'Whether an e-mail has no account yet',
  description: `Answers true for everything unless \`${tellsPath}\` is on, as the platform does: otherwise a stranger
could find out who has an
account. A register asks \`POST /V1/pos/customers/validate\`.`,
  outcomes: [],
  examples: [{ title: 'Nobody has it', body: { customerEmail: 'ann@example.com' }, response: true }],
  body: z.object({ customerEmail: text(1_000), websiteId: recordId.optional() }),
  response: z.boolean(),

  async handle({ em, body: { customerEmail, websiteId = 0 }, store }) {
    const tells = await readConfigValue(em, tellsPath, store);
    if (tells !== '1') return true;
    return isEmailFree(em, { email: customerEmail.trim(), websiteId: websiteId > 0 ? websiteId : store.websiteId });
  },
});

const labels: Readonly<Record<string, string>> = { email: 'Email', firstname: 'First Name', lastname: 'Last Name' };

/** The errors that a save would be refused with; saves nothing (platform facts 8). */
const validateCustomer = route({
  method: 'PUT',
  path: '/V1/customers/validate',
  acl: 'Platform_Customer::manage',
  name: 'checkCustomer',
  summary: 'Check a customer without saving',
  description: 'Every fault in a sentence of its own. Nothing is saved, and no e-mail is looked up.',
  outcomes: [],
  examples: [
    {
      title: 'A name is missing',
      body: { customer: { email: 'ann@example.com', firstname: '', lastname: 'Lee' } },
      response: {
        valid: false,
        messages: ['The "First Name" attribute value is empty. Set the attribute and try again.'],
      },
    },
  ],
  body: z.object({ customer: customerPayload }),
  response: z.object({ valid: z.boolean(), messages: z.array(z.string()) }),

  async handle({ body: { customer } }) {
    const messages = customerErrors(toCustomerDraft(customer)).map(sentenceOf);
    return { valid: messages.length === 0, messages };
  },
});

/** The message with its values. */
function sentenceOf({ message, parameters }: InputError): string {
  const values: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(parameters));
  const label = labels[String(values['fieldName'])];
  if (label !== undefined && message.includes('is required'))
    return `The "${label}" attribute value is empty. Set the attribute and try again.`;
  return message.replaceAll(/%(\w+)/g, (sign, name: string) => (name in values ? String(values[name]) : sign));
}

/** Accounts and their addresses (platform facts 8). */
export const customerRoutes = (hooks: SubscriberHooks, mails: AccountMails): readonly AnyRoute[] => [
  searchCustomers,
  getCustomer,
  getOwnCustomer,
  createCustomer(hooks, mails),
  updateCustomer(hooks),
  deleteCustomerRoute,
  isCustomerReadOnly,
  isEmailAvailable,
  validateCustomer,
  updateOwnCustomer(hooks),
  changeOwnPassword,
  ...passwordResetRoutes(mails),
  ...confirmationRoutes(mails),
  ...addressRoutes,
];
