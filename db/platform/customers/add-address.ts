import { LockMode, type EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { withRegion, type AddressDraft } from '../../../domain/platform/customers/customer-draft.ts';
import { transact } from '../../support/transact.ts';
import { Customer, CustomerAddress } from './customer.entity.ts';
import { shopNow } from '../../support/shop-clock.ts';

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
 * Adds an address that its caller has checked, unless the customer has the same. It becomes a default one where the draft
 * says so, or where the customer has no default yet. A repeat adds none. Refused with 404: an unknown customer.
 */
export const addIfNew = (em: EntityManager, customerId: number, draft: AddressDraft): Promise<void> =>
  transact(em, async (tx) => {
    const customer = await tx.findOne(Customer, { id: customerId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!customer) throw noSuchEntity('customerId', customerId);
    const { isDefaultBilling, isDefaultShipping, id: _id, ...given } = withRegion(draft);
    const known = await tx.find(CustomerAddress, { customer: customerId });
    const { firstname = '', lastname = '', city = '', countryId = '', street = [], ...others } = given;
    const wanted = { ...others, firstname, lastname, city, countryId, street };
    const address =
      known.find((one) => isSame(one, wanted)) ?? tx.create(CustomerAddress, { ...wanted, customer: customerId });
    await tx.flush();
    tx.assign(customer, {
      defaultBilling: isDefaultBilling ? address.id : (customer.defaultBilling ?? address.id),
      defaultShipping: isDefaultShipping ? address.id : (customer.defaultShipping ?? address.id),
      updatedAt: shopNow(),
    });
    await tx.flush();
  });

/** What an address says; what it leaves open may be anything. */
const isSame = (known: CustomerAddress, { street = [], region: _region, regionCode: _code, ...given }: AddressDraft) =>
  street.join('\n') === known.street.join('\n') &&
  Object.entries(given).every(([field, value]) => value == null || Reflect.get(known, field) === value);
