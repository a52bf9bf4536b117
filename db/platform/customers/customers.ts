import {
  ForeignKeyConstraintViolationException,
  LockMode,
  UniqueConstraintViolationException,
  type EntityManager,
} from '@mikro-orm/postgresql';
import { noSuchEntity, PosError } from '../../../domain/errors.ts';
import { customerErrors, type CustomerDraft } from '../../../domain/platform/customers.ts';
import { noSuchCustomerGroup } from '../../../domain/refusals/customers.ts';
import { invalidInput } from '../../../domain/refusals/platform.ts';
import { definedFields } from '../../support/defined-fields.ts';
import { shopNow } from '../../support/shop-clock.ts';
import { transact } from '../../support/transact.ts';
import { newKey } from '../access/token-digest.ts';
import { keepSubscription, type SubscriptionInput } from '../newsletter/subscribe.ts';
import { findCustomerStore } from '../stores/find-customer-store.ts';
import { saveCustomerAddresses } from './addresses.ts';
import { asksAccounts, type AskAccount } from './confirm-account.ts';
import { Customer, CustomerAddress, CustomerGroup } from './customer.entity.ts';
import { readDefaultGroupId } from './read-customer-groups.ts';
import { forgetReset } from './passwords.ts';

/** 400: the website has an account with this e-mail. Of two concurrent creates the second gets it. */
export class EmailTaken extends PosError {
  constructor(cause: unknown) {
    super(
      { status: 400, message: 'A customer with the same email address already exists in an associated website.' },
      { cause },
    );
  }
}

interface NewCustomer {
  draft: CustomerDraft;
  currentStoreId: number;
  /** The hash of an already checked password; absent for an account without sign-in. */
  passwordHash?: string | undefined;
  /** Absent: an existing subscription of the e-mail becomes the account's, nothing else. */
  newsletter?: SubscriptionInput;
  /** Accepts addresses that break the country's rules, because a register's form has no region. */
  takesAnyAddress?: boolean | undefined;
  /** Asks the account to confirm its e-mail, where its store view wants that; absent: it need not. */
  confirm?: AskAccount | undefined;
  /** Called with the new id in the transaction that creates the account. */
  opened?: ((tx: EntityManager, customerId: number) => Promise<void>) | undefined;
}

/** A save without a wish about the newsletter. */
const noInput: SubscriptionInput = { wantsNewsletter: undefined, ask: () => Promise.resolve() };

/**
 * Creates a customer account with its addresses, all or nothing (platform facts 8).
 *
 * The database's own constraint refuses a second account with the e-mail, so concurrent creates make one. Refused
 * with 400: missing or invalid fields · a store view of another website · an unknown group · an e-mail of another
 * account on the website.
 *
 * @returns the new customer's id
 */
export const createCustomer = (
  em: EntityManager,
  { draft, currentStoreId, passwordHash, newsletter = noInput, takesAnyAddress, confirm, opened }: NewCustomer,
): Promise<number> =>
  refusingConflicts(() =>
    transact(em, async (em) => {
      refuseErrors(draft);
      const store = await findCustomerStore(em, { ...draft, currentStoreId });
      const groupId = draft.groupId ?? Number(await readDefaultGroupId(em, store));
      await refuseUnknownGroup(em, groupId);
      const { addresses, customAttributes, storeId: _store, websiteId: _website, groupId: _group, ...fields } = draft;
      const { email = '', firstname = '', lastname = '', ...others } = definedFields(fields);
      const asks = confirm !== undefined && (await asksAccounts(em, store));
      const customer = em.create(Customer, {
        ...others,
        email,
        firstname,
        lastname,
        groupId,
        storeId: store.storeId,
        websiteId: store.websiteId,
        createdIn: store.name,
        customAttributes: withAttributes({}, customAttributes),
        defaultBilling: null,
        defaultShipping: null,
        passwordHash: passwordHash ?? null,
        ...(asks ? { confirmation: newKey() } : {}),
      });
      await em.flush();
      await saveAddressesAndDefaults(em, customer, { addresses }, takesAnyAddress);
      await keepSubscription(em, customer, newsletter);
      if (asks) await confirm(em, customer.id);
      await opened?.(em, customer.id);
      return customer.id;
    }),
  );

/**
 * Changes the fields sent of a customer; `addresses`, when sent, replaces the whole list (platform facts 8).
 *
 * A repeat leaves the same customer. Refused with: 404 unknown customer or address · 400 as for a new account.
 */
export const updateCustomer = (
  em: EntityManager,
  {
    customerId,
    draft,
    newsletter = noInput,
  }: { customerId: number; draft: CustomerDraft; newsletter?: SubscriptionInput },
): Promise<void> =>
  refusingConflicts(() =>
    transact(em, async (em) => {
      const customer = await em.findOne(Customer, { id: customerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!customer) throw noSuchEntity('customerId', customerId);
      const { addresses, customAttributes, storeId, websiteId, defaultBilling, defaultShipping, ...rest } = draft;
      const fields = definedFields(rest);
      const formerEmail = customer.email;
      // A day of birth from before it was checked stays, and may be sent back.
      const dob = fields.dob === customer.dob ? undefined : fields.dob;
      refuseErrors({ ...customer, addresses: undefined, ...fields, dob });
      if (fields.groupId !== undefined) await refuseUnknownGroup(em, fields.groupId);
      if (storeId || websiteId) {
        const request = {
          storeId: storeId || (websiteId === customer.websiteId ? customer.storeId : undefined),
          websiteId,
        };
        const store = await findCustomerStore(em, { ...request, currentStoreId: customer.storeId });
        em.assign(customer, { storeId: store.storeId, websiteId: store.websiteId });
      }
      const attributes = withAttributes(customer.customAttributes, customAttributes);
      // The customer's row is written even where only an address changes, so that searches by change time find it.
      em.assign(customer, { ...fields, customAttributes: attributes, updatedAt: shopNow() });
      await saveAddressesAndDefaults(em, customer, { addresses, defaultBilling, defaultShipping });
      // A token was mailed to the former address.
      if (customer.email !== formerEmail) await forgetReset(em, customerId);
      await keepSubscription(em, customer, newsletter);
    }),
  );

/**
 * A default is the address flagged now, else the id sent, else the previous one; never an address of another
 * customer.
 */
async function saveAddressesAndDefaults(
  em: EntityManager,
  customer: Customer,
  { addresses, ...named }: Pick<CustomerDraft, 'addresses' | 'defaultBilling' | 'defaultShipping'>,
  takesAny?: boolean,
): Promise<void> {
  const flagged = addresses ? await saveCustomerAddresses(em, customer, addresses, { takesAny }) : undefined;
  await em.flush();
  const own = await em.find(CustomerAddress, { customer: customer.id });
  const ifOwn = (id: number | null | undefined) => (own.some((address) => address.id === id) ? (id ?? null) : null);
  em.assign(customer, {
    defaultBilling: flagged?.billing?.id ?? ifOwn(orStored(named.defaultBilling, customer.defaultBilling)),
    defaultShipping: flagged?.shipping?.id ?? ifOwn(orStored(named.defaultShipping, customer.defaultShipping)),
  });
  await em.flush();
}

const orStored = <Value>(input: Value | undefined, stored: Value): Value => (input === undefined ? stored : input);

function withAttributes(stored: Record<string, unknown>, input: Record<string, unknown> | undefined) {
  return Object.fromEntries(Object.entries({ ...stored, ...input }).filter(([, value]) => value !== null));
}

function refuseErrors(draft: CustomerDraft): void {
  const errors = customerErrors(draft);
  if (errors.length > 0) throw invalidInput(errors);
}

async function refuseUnknownGroup(em: EntityManager, groupId: number): Promise<void> {
  if ((await em.count(CustomerGroup, { id: groupId })) === 0) throw noSuchCustomerGroup();
}

async function refusingConflicts<Result>(save: () => Promise<Result>): Promise<Result> {
  try {
    return await save();
  } catch (error) {
    if (
      error instanceof UniqueConstraintViolationException &&
      error.message.includes('customer_email_once_per_website')
    )
      throw new EmailTaken(error);
    // The group was deleted after it was looked up.
    if (error instanceof ForeignKeyConstraintViolationException && error.message.includes('customer_group_id_foreign'))
      throw noSuchCustomerGroup();
    throw error;
  }
}
