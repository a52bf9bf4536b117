import type { EntityManager } from '@mikro-orm/postgresql';
import { CustomerAddress } from './customer.entity.ts';

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
