import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { deleteAddress, ownerOfAddress } from '../../../db/platform/customers/addresses.ts';
import { activateAccount, asksAccounts, isConfirmationKey } from '../../../db/platform/customers/confirm-account.ts';
import { readCustomer } from '../../../db/platform/customers/read-customers.ts';
import { findAccountOfEmail } from '../../../db/platform/newsletter/subscribe.ts';
import { noSuchEntity } from '../../../domain/errors.ts';
import { confirmationStatus, confirmationStatuses } from '../../../domain/platform/customers.ts';
import {
  accountAlreadyActive,
  confirmationNotNeeded,
  confirmationTokenNotValid,
} from '../../../domain/refusals/customers.ts';
import { secretBoxOf } from '../../http/secret-box.ts';
import { done, route, type AnyRoute } from '../../http/route.ts';
import { idParam, recordId, text, voidAnswer } from '../../wire/schemas.ts';
import {
  exampleAddress,
  exampleCustomer,
  noSuchAccount,
  unknownAccount,
  unknownAddress,
  unknownCustomer,
} from './customer-answer.ts';
import { longest, type AccountMails } from './password-reset.ts';
import { addressAnswer, customerAnswer, renderAddress, renderCustomer } from './customer-payload.ts';

const manage = 'Platform_Customer::manage';

const body = z.object({ confirmationKey: text(longest) });
const key = 'a7f1c0de'.repeat(8);

/** Confirms the e-mail of the calling customer (platform facts 8). Refused with 400: an active account, a wrong key. */
const activateOwnAccount = route({
  method: 'PUT',
  path: '/V1/customers/me/activate',
  acl: 'self',
  name: 'activateOwnAccount',
  summary: 'Confirm the e-mail of the customer who calls',
  description: 'With the key of the mail. A second call finds the account active.',
  outcomes: [accountAlreadyActive, confirmationTokenNotValid],
  examples: [{ title: 'Active', body: { confirmationKey: key }, response: exampleCustomer }],
  body,
  response: customerAnswer,

  async handle({ em, body: { confirmationKey }, caller: { userId }, settings }) {
    const box = secretBoxOf(settings);
    await activateAccount(em, {
      customerId: userId,
      accepts: (account) => isConfirmationKey(box, account, confirmationKey),
    });
    return answer(em, userId);
  },
});

/**
 * Confirms an account for its customer (platform facts 8). Staff who may manage customers may also give the
 * `confirmation` that a read of the customer shows. Refused with: 404 unknown e-mail · 400 as above.
 */
const activateAccountRoute = route({
  method: 'PUT',
  path: '/V1/customers/:email/activate',
  acl: manage,
  name: 'activateAccount',
  summary: 'Confirm the e-mail of a customer',
  description: `With the key of the mail, or with \`confirmation\` as a read of the customer shows it. The account is
    one of the
path's website.`,
  outcomes: [unknownAccount, accountAlreadyActive, confirmationTokenNotValid],
  examples: [
    {
      title: 'Active',
      params: { email: 'ann@example.com' },
      body: { confirmationKey: key },
      response: exampleCustomer,
    },
  ],
  params: z.object({ email: text(longest) }),
  body,
  response: customerAnswer,

  async handle({ em, params: { email }, body: { confirmationKey }, store: { websiteId }, settings }) {
    const { id: customerId } = await accountOf(em, { email, websiteId });
    const box = secretBoxOf(settings);
    await activateAccount(em, {
      customerId,
      accepts: (account) =>
        account.confirmation === confirmationKey || isConfirmationKey(box, account, confirmationKey),
    });
    return answer(em, customerId);
  },
});

/** Mails the key again (platform facts 8). Refused with: 404 unknown e-mail · 400 an active account. */
const resendConfirmation = (mails: AccountMails) =>
  route({
    method: 'POST',
    path: '/V1/customers/confirm',
    acl: manage,
    name: 'resendConfirmation',
    summary: 'Ask a customer again to confirm the e-mail',
    description:
      'Mails the same link again; a repeat within ten minutes sends nothing. Without `websiteId` the website is ' +
      'that of the path.',
    outcomes: [unknownAccount, confirmationNotNeeded],
    examples: [{ title: 'Mailed', body: { email: 'ann@example.com', websiteId: 1 }, response: true }],
    body: z.object({ email: text(longest), websiteId: recordId.nullish(), redirectUrl: z.unknown().optional() }),
    response: z.literal(true),

    async handle({ em, body: { email, websiteId: named }, store, workflows, log }) {
      const account = await accountOf(em, { email, websiteId: named ?? store.websiteId });
      if (!account.isAwaiting) throw confirmationNotNeeded();
      const mailId = await mails.postConfirmation(em, account.id);
      if (mailId !== undefined) mails.sendConfirmation(mailId, { workflows, log });
      return true as const;
    },
  });

/** Whether an account must be or was confirmed (platform facts 8). Refused with 404: unknown customer. */
const getConfirmation = route({
  method: 'GET',
  path: '/V1/customers/:customerId/confirm',
  acl: manage,
  name: 'getConfirmationStatus',
  summary: 'Whether a customer has confirmed the e-mail',
  description: '`account_confirmation_not_required` where the shop does not ask for it.',
  outcomes: [unknownCustomer],
  examples: [{ title: 'Not asked', params: { customerId: 1 }, response: 'account_confirmation_not_required' }],
  params: z.object({ customerId: idParam }),
  response: z.enum(confirmationStatuses),

  async handle({ em, params: { customerId } }) {
    const { row } = await readCustomer(em, customerId);
    const isRequested = await asksAccounts(em, { storeId: row.storeId, websiteId: row.websiteId });
    return confirmationStatus({ isAwaiting: typeof row.confirmation === 'string', isAsked: isRequested });
  },
});

async function accountOf(em: EntityManager, input: { email: string; websiteId: number }) {
  const account = await findAccountOfEmail(em, { ...input, email: input.email.trim() });
  if (!account) throw noSuchAccount(input.email, input.websiteId);
  return account;
}

async function answer(em: EntityManager, customerId: number) {
  const { row, addresses } = await readCustomer(em, customerId);
  return renderCustomer(row, addresses);
}

/** Accounts that wait for their e-mail (platform facts 8). */
export const confirmationRoutes = (mails: AccountMails): readonly AnyRoute[] => [
  activateOwnAccount,
  activateAccountRoute,
  resendConfirmation(mails),
  getConfirmation,
];

const addressAccess = { acl: 'Platform_Customer::manage' } as const;

/** A default address; an empty list without one, as on the platform (platform facts 8). */
const defaultAddress = (kind: 'billing' | 'shipping') =>
  route({
    ...addressAccess,
    method: 'GET',
    path: `/V1/customers/:customerId/${kind}Address`,
    name: kind === 'billing' ? 'getBillingAddressOfCustomer' : 'getShippingAddressOfCustomer',
    summary: `Read the default ${kind} address of a customer`,
    description: 'An empty list without one.',
    outcomes: [unknownCustomer],
    examples: [{ title: 'There is one', params: { customerId: 1 }, response: exampleAddress }],
    params: z.object({ customerId: idParam }),
    response: z.union([addressAnswer, voidAnswer]),

    handle: ({ em, params: { customerId } }) => readDefaultAddress(em, { customerId, kind }),
  });

/** That of the customer who calls; an empty list where there is none (platform facts 8). */
const ownDefaultAddress = (kind: 'billing' | 'shipping') =>
  route({
    acl: 'self',
    method: 'GET',
    path: `/V1/customers/me/${kind}Address`,
    name: kind === 'billing' ? 'getOwnBillingAddress' : 'getOwnShippingAddress',
    summary: `Read the default ${kind} address of the customer who calls`,
    description: 'Who it is comes from the token. An empty list where there is none.',
    outcomes: [],
    examples: [{ title: 'There is one', response: exampleAddress }],
    response: z.union([addressAnswer, voidAnswer]),

    handle: ({ em, caller }) => readDefaultAddress(em, { customerId: caller.userId, kind }),
  });

async function readDefaultAddress(
  em: EntityManager,
  { customerId, kind }: { customerId: number; kind: 'billing' | 'shipping' },
) {
  const { row, addresses } = await readCustomer(em, customerId);
  const id = kind === 'billing' ? row.defaultBilling : row.defaultShipping;
  const address = addresses.find((one) => one.id === id);
  return address ? renderAddress(address, row) : ([] as []);
}

/** One address by its id (platform facts 8). Refused with 404: an unknown one. */
const getAddress = route({
  ...addressAccess,
  method: 'GET',
  path: '/V1/customers/addresses/:addressId',
  name: 'getCustomerAddress',
  summary: 'Read an address of a customer',
  description: 'Of any customer.',
  outcomes: [unknownAddress],
  examples: [{ title: 'At home', params: { addressId: 1 }, response: exampleAddress }],
  params: z.object({ addressId: idParam }),
  response: addressAnswer,

  async handle({ em, params: { addressId } }) {
    const { row, addresses } = await readCustomer(em, await ownerOfAddress(em, addressId));
    const address = addresses.find(({ id }) => id === addressId);
    if (!address) throw noSuchEntity('addressId', addressId);
    return renderAddress(address, row);
  },
});

/** Removes an address from a customer's book (platform facts 8). A repeat is a 404. */
const deleteAddressRoute = route({
  ...addressAccess,
  method: 'DELETE',
  path: '/V1/addresses/:addressId',
  name: 'deleteCustomerAddress',
  summary: 'Delete an address of a customer',
  description: 'If it was a default address, the customer has no default any more. Orders keep their addresses.',
  outcomes: [unknownAddress],
  examples: [{ title: 'Deleted', params: { addressId: 3 }, response: true }],
  params: z.object({ addressId: idParam }),
  response: z.literal(true),

  handle: ({ em, params: { addressId } }) => done(deleteAddress(em, addressId)),
});

/** Routes of single addresses. */
export const addressRoutes: readonly AnyRoute[] = [
  defaultAddress('billing'),
  defaultAddress('shipping'),
  ownDefaultAddress('billing'),
  ownDefaultAddress('shipping'),
  getAddress,
  deleteAddressRoute,
];
