import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, json, surely } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { QuoteAddress } from './quote.entity.ts';

/** A billing or shipping address of a cart, with the fields of an order's address. */
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
  sameAsBilling: boolean;
  saveInAddressBook: boolean;
}

const read = statement({
  takes: { quoteId: integer },
  gives: { ...of(QuoteAddress, 'addressType'), address: surely(json<CartAddress>()) },
  text: `
    select address_type, json_build_object('addressId', address_id, 'firstname', firstname, 'lastname', lastname,
      'middlename', middlename, 'prefix', prefix, 'suffix', suffix, 'company', company, 'street', street, 'city', city,
      'region', region, 'regionCode', region_code, 'regionId', region_id, 'postcode', postcode,
      'countryId', country_id, 'telephone', telephone, 'fax', fax, 'email', email, 'vatId', vat_id,
      'customerAddressId', customer_address_id, 'sameAsBilling', same_as_billing,
      'saveInAddressBook', save_in_address_book) as address
    from quote_address where quote_id = $quoteId`,
});

/** Both addresses of a cart, as far as they are known. */
export async function readCartAddresses(
  em: EntityManager,
  quoteId: number,
): Promise<{ billing: CartAddress | undefined; shipping: CartAddress | undefined }> {
  const rows = await read.all(em, { quoteId });
  const find = (type: 'billing' | 'shipping') => rows.find((row) => row.addressType === type)?.address;
  return { billing: find('billing'), shipping: find('shipping') };
}
