import type { CustomerAddressRow, CustomerRow } from '../../../db/platform/customers/read-customers.ts';
import type { AddressAnswer, CustomerAnswer } from './customer-answer.ts';

/** A customer with addresses; defaults are texts with the address's id (platform facts 8). */
export function renderCustomer(row: CustomerRow, addresses: readonly CustomerAddressRow[]): CustomerAnswer {
  const attributes = Object.entries(row.custom_attributes);
  return {
    id: row.id,
    group_id: row.group_id,
    ...(row.default_billing === null ? {} : { default_billing: String(row.default_billing) }),
    ...(row.default_shipping === null ? {} : { default_shipping: String(row.default_shipping) }),
    ...texts({ confirmation: row.confirmation }),
    created_at: row.created_at.slice(0, 19),
    updated_at: row.updated_at.slice(0, 19),
    ...texts({ created_in: row.created_in, dob: row.dob }),
    email: row.email,
    firstname: row.firstname,
    lastname: row.lastname,
    ...texts({ middlename: row.middlename, prefix: row.prefix, suffix: row.suffix }),
    ...(row.gender === null ? {} : { gender: row.gender }),
    store_id: row.store_id,
    ...texts({ taxvat: row.taxvat }),
    website_id: row.website_id,
    addresses: addresses.map((address) => renderAddress(address, row)),
    disable_auto_group_change: row.disable_auto_group_change,
    extension_attributes: { is_subscribed: row.is_subscribed },
    ...(attributes.length === 0
      ? {}
      : { custom_attributes: attributes.map(([attribute_code, value]) => ({ attribute_code, value })) }),
  };
}

/** One of its addresses. */
export function renderAddress(address: CustomerAddressRow, customer: CustomerRow): AddressAnswer {
  const regionId = address.region_id ?? 0;
  return {
    id: address.id,
    customer_id: address.customer_id,
    region: { region_code: address.region_code, region: address.region, region_id: regionId },
    region_id: regionId,
    country_id: address.country_id,
    street: address.street,
    ...texts({ company: address.company, telephone: address.telephone, fax: address.fax, postcode: address.postcode }),
    city: address.city,
    firstname: address.firstname,
    lastname: address.lastname,
    ...texts({ middlename: address.middlename, prefix: address.prefix, suffix: address.suffix }),
    ...texts({ vat_id: address.vat_id }),
    ...(customer.default_shipping === address.id ? { default_shipping: true } : {}),
    ...(customer.default_billing === address.id ? { default_billing: true } : {}),
  };
}

/** The texts that are not null: the platform leaves the others out. */
function texts<Name extends string>(given: Record<Name, string | null>): { [Key in Name]?: string } {
  const kept: { [Key in Name]?: string } = {};
  for (const name in given) {
    const text = given[name];
    if (text !== null) kept[name] = text;
  }
  return kept;
}
