import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { withRegion, addressErrors, type AddressDraft } from '../../../domain/platform/customers.ts';
import { invalidInput } from '../../../domain/refusals/platform.ts';
import { definedFields } from '../../support/defined-fields.ts';
import { shopNow } from '../../support/shop-clock.ts';
import { transact } from '../../support/transact.ts';
import { Customer, CustomerAddress } from './customer.entity.ts';

/** The addresses flagged as default by the caller; undefined where none is flagged. */
interface DefaultAddresses {
  billing: CustomerAddress | undefined;
  shipping: CustomerAddress | undefined;
}

/**
 * Makes the listed addresses the customer's own: known ids are changed, others created, and addresses not listed are
 * deleted.
 *
 * Runs within the transaction that locks the customer. Refused with: 404 an unknown id or one of another customer ·
 * 400 an address that breaks its country's rules, unless `takesAnyAddress` is set.
 */
export async function saveCustomerAddresses(
  em: EntityManager,
  customer: Customer,
  drafts: readonly AddressDraft[],
  { takesAny = false }: { takesAny?: boolean | undefined } = {},
): Promise<DefaultAddresses> {
  const existing = await em.find(CustomerAddress, { customer: customer.id });
  const stored = new Set<CustomerAddress>();
  const defaults: DefaultAddresses = { billing: undefined, shipping: undefined };
  for (const draft of drafts) {
    const known = draft.id ? existing.find(({ id }) => id === draft.id) : undefined;
    if (draft.id && !known) throw noSuchEntity('addressId', draft.id);
    const errors = takesAny ? [] : addressErrors({ ...known, ...definedFields(withRegion(draft)) });
    if (errors.length > 0) throw invalidInput(errors);
    const address = saveAddress(em, customer, known, draft);
    stored.add(address);
    if (draft.isDefaultBilling) defaults.billing = address;
    if (draft.isDefaultShipping) defaults.shipping = address;
  }
  for (const address of existing) if (!stored.has(address)) em.remove(address);
  await em.flush();
  return defaults;
}

function saveAddress(em: EntityManager, customer: Customer, known: CustomerAddress | undefined, draft: AddressDraft) {
  const {
    id: _id,
    isDefaultBilling: _billing,
    isDefaultShipping: _shipping,
    ...changes
  } = definedFields(withRegion(draft));
  if (known) return em.assign(known, changes);
  const { firstname = '', lastname = '', city = '', countryId = '', ...others } = changes;
  return em.create(CustomerAddress, { ...others, firstname, lastname, city, countryId, customer });
}

/** An address that its caller has checked against the country's rules. */
export interface CheckedAddress {
  firstname: string | null;
  lastname: string | null;
  middlename: string | null;
  prefix: string | null;
  suffix: string | null;
  company: string | null;
  street: string[];
  city: string | null;
  region: string | null;
  regionCode: string | null;
  regionId: number | null;
  postcode: string | null;
  countryId: string | null;
  telephone: string | null;
  fax: string | null;
  vatId: string | null;
}

/**
 * Adds an address to a customer's book, in the caller's transaction. The default addresses stay. Each call adds one.
 */
export async function addAddress(em: EntityManager, customerId: number, address: CheckedAddress): Promise<void> {
  const { firstname, lastname, city, countryId, ...others } = address;
  em.create(CustomerAddress, {
    ...others,
    firstname: firstname ?? '',
    lastname: lastname ?? '',
    city: city ?? '',
    countryId: countryId ?? '',
    customer: customerId,
  });
  await em.flush();
}

/**
 * Adds an address that its caller has checked, unless the customer has the same. It becomes a default one where the
 * draft says so, or where the customer has no default yet. A repeat adds none. Refused with 404: an unknown customer.
 */
export const addIfNew = (em: EntityManager, customerId: number, draft: AddressDraft): Promise<void> =>
  transact(em, async (tx) => {
    const customer = await tx.findOne(Customer, { id: customerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!customer) throw noSuchEntity('customerId', customerId);
    const { isDefaultBilling, isDefaultShipping, id: _id, ...input } = withRegion(draft);
    const known = await tx.find(CustomerAddress, { customer: customerId });
    const { firstname = '', lastname = '', city = '', countryId = '', street = [], ...others } = input;
    const requested = { ...others, firstname, lastname, city, countryId, street };
    const address =
      known.find((one) => isSame(one, requested)) ?? tx.create(CustomerAddress, { ...requested, customer: customerId });
    await tx.flush();
    tx.assign(customer, {
      defaultBilling: isDefaultBilling ? address.id : (customer.defaultBilling ?? address.id),
      defaultShipping: isDefaultShipping ? address.id : (customer.defaultShipping ?? address.id),
      updatedAt: shopNow(),
    });
    await tx.flush();
  });

/** What an address says; what it leaves open may be anything. */
const isSame = (known: CustomerAddress, { street = [], region: _region, regionCode: _code, ...input }: AddressDraft) =>
  street.join('\n') === known.street.join('\n') &&
  Object.entries(input).every(([field, value]) => value == null || Reflect.get(known, field) === value);

/** The customer of an address. Refused with 404 `addressId` when there is none. */
export async function ownerOfAddress(em: EntityManager, addressId: number): Promise<number> {
  const address = await em.findOne(CustomerAddress, { id: addressId });
  if (!address) throw noSuchEntity('addressId', addressId);
  return address.customer.id;
}

/**
 * Deletes an address of a customer; a default address is then unset (platform facts 8). A repeat finds nothing.
 * Refused with 404: an unknown address.
 */
export const deleteAddress = (em: EntityManager, addressId: number): Promise<void> =>
  transact(em, async (tx) => {
    const customerId = await ownerOfAddress(tx, addressId);
    // The same lock order as a save: the customer first, then the rows below it.
    const customer = await tx.findOne(Customer, { id: customerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const removed = await tx.nativeDelete(CustomerAddress, { id: addressId });
    if (!customer || removed === 0) throw noSuchEntity('addressId', addressId);
    tx.assign(customer, {
      defaultBilling: customer.defaultBilling === addressId ? null : (customer.defaultBilling ?? null),
      defaultShipping: customer.defaultShipping === addressId ? null : (customer.defaultShipping ?? null),
      updatedAt: shopNow(),
    });
    await tx.flush();
  });
