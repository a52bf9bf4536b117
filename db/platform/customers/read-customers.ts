import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';
import { flag, integer, integers } from '../../support/entity-columns.ts';
import { asListed, of } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { Customer, CustomerAddress } from './customer.entity.ts';

/** What lists and reads of customers select; never the password. */
export const customerColumns = `
  id, website_id, store_id, group_id, email, firstname, lastname, middlename, prefix, suffix, dob, taxvat, confirmation,
  created_in, gender, default_billing, default_shipping, disable_auto_group_change, custom_attributes, created_at,
  updated_at`;

/** Whether the customer `c` is subscribed to the newsletter. */
export const isSubscribedColumn = `exists (
  select from newsletter_subscriber n where n.customer_id = c.id and n.status = 1) as is_subscribed`;

export type CustomerRow = RowFrom<typeof readOne>;
export type CustomerAddressRow = RowFrom<typeof readAddresses>;

/** One customer with the addresses. Refused with 404 `customerId` when there is none. */
export async function readCustomer(em: EntityManager, customerId: number) {
  const row = await readOne.first(em, { customerId });
  if (!row) throw noSuchEntity('customerId', customerId);
  const addresses = await readCustomerAddresses(em, [customerId]);
  return { row, addresses: addresses.get(customerId) ?? [] };
}

/** The addresses of several customers in one statement, oldest first. */
export async function readCustomerAddresses(em: EntityManager, customerIds: readonly number[]) {
  const byCustomer = new Map<number, CustomerAddressRow[]>();
  if (customerIds.length === 0) return byCustomer;
  const rows = await readAddresses.all(em, { customerIds });
  for (const row of rows) byCustomer.set(row.customer_id, [...(byCustomer.get(row.customer_id) ?? []), row]);
  return byCustomer;
}

/** Whether an account has this id. */
export async function isCustomer(em: EntityManager, customerId: number): Promise<boolean> {
  return (await selectCustomers.first(em, { customerId })) !== undefined;
}

const readOne = statement({
  takes: { customerId: integer },
  gives: {
    ...asListed(Customer, 'id', 'websiteId', 'storeId', 'groupId', 'email', 'firstname', 'lastname', 'middlename'),
    ...asListed(Customer, 'prefix', 'suffix', 'dob', 'taxvat', 'confirmation', 'createdIn', 'gender', 'defaultBilling'),
    ...asListed(Customer, 'defaultShipping', 'disableAutoGroupChange', 'customAttributes', 'createdAt', 'updatedAt'),
    is_subscribed: flag,
  },
  text: `select ${customerColumns}, ${isSubscribedColumn} from customer c where id = $customerId`,
});

const readAddresses = statement({
  takes: { customerIds: integers },
  gives: {
    customer_id: integer,
    ...asListed(CustomerAddress, 'id', 'firstname', 'lastname', 'middlename', 'prefix', 'suffix', 'company', 'street'),
    ...asListed(CustomerAddress, 'city', 'postcode', 'countryId', 'region', 'regionCode', 'regionId', 'telephone'),
    ...asListed(CustomerAddress, 'fax', 'vatId'),
  },
  text: `
    select customer_id, id, firstname, lastname, middlename, prefix, suffix, company, street, city, postcode,
      country_id,
      region, region_code, region_id, telephone, fax, vat_id
    from customer_address where customer_id = any($customerIds::bigint[])
    order by customer_id, id`,
});

const selectCustomers = statement({
  takes: { customerId: integer },
  gives: of(Customer, 'id'),
  text: 'select id from customer where id = $customerId',
});
