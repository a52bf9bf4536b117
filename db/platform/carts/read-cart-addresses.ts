import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, json, surely } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import type { CheckedAddress } from '../customers/addresses.ts';
import { QuoteAddress } from './quote.entity.ts';

/** A billing or shipping address of a cart, with the fields of an order's address. */
export interface CartAddress extends CheckedAddress {
  addressId: number;
  email: string | null;
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
