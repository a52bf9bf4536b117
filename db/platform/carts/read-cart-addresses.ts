import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../../support/query.ts';

/** Where a cart is billed or shipped to, in the words of an order's address. */
export interface CartAddress {
  addressId: number;
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
  email: string | null;
  vatId: string | null;
  customerAddressId: number | null;
}

interface AddressRow {
  address_type: 'billing' | 'shipping';
  address: CartAddress;
}

const addressesText = `
select address_type, json_build_object('addressId', address_id, 'firstname', firstname, 'lastname', lastname,
  'middlename', middlename, 'prefix', prefix, 'suffix', suffix, 'company', company, 'street', street, 'city', city,
  'region', region, 'regionCode', region_code, 'regionId', region_id, 'postcode', postcode, 'countryId', country_id,
  'telephone', telephone, 'fax', fax, 'email', email, 'vatId', vat_id, 'customerAddressId', customer_address_id) as address
from quote_address where quote_id = $1`;

/** Both addresses of a cart, as far as they are known. */
export async function readCartAddresses(
  em: EntityManager,
  quoteId: number,
): Promise<{ billing: CartAddress | undefined; shipping: CartAddress | undefined }> {
  const rows = await query<AddressRow>(em, addressesText, [quoteId]);
  const find = (type: AddressRow['address_type']) => rows.find((row) => row.address_type === type)?.address;
  return { billing: find('billing'), shipping: find('shipping') };
}
