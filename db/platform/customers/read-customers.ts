import type { EntityManager } from '@mikro-orm/postgresql';
import { noSuchEntity } from '../../../domain/errors.ts';

/** What lists and reads of customers select; never the password. */
export const customerColumns = `
  id, website_id, store_id, group_id, email, firstname, lastname, middlename, prefix, suffix, dob, taxvat, confirmation,
  created_in, gender, default_billing, default_shipping, disable_auto_group_change, custom_attributes, created_at,
  updated_at`;

/** Whether the customer `c` is subscribed to the newsletter. */
export const isSubscribedColumn = `exists (
  select from newsletter_subscriber n where n.customer_id = c.id and n.status = 1) as is_subscribed`;

export interface CustomerRow {
  id: number;
  website_id: number;
  store_id: number;
  group_id: number;
  email: string;
  firstname: string;
  lastname: string;
  middlename: string | null;
  prefix: string | null;
  suffix: string | null;
  dob: string | null;
  taxvat: string | null;
  confirmation: string | null;
  created_in: string | null;
  gender: number | null;
  default_billing: number | null;
  default_shipping: number | null;
  disable_auto_group_change: number;
  custom_attributes: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  is_subscribed: boolean;
}

export interface CustomerAddressRow {
  id: number;
  customer_id: number;
  firstname: string;
  lastname: string;
  middlename: string | null;
  prefix: string | null;
  suffix: string | null;
  company: string | null;
  street: string[];
  city: string;
  postcode: string | null;
  country_id: string;
  region: string | null;
  region_code: string | null;
  region_id: number | null;
  telephone: string | null;
  fax: string | null;
  vat_id: string | null;
}

/** One customer with the addresses. Refused with 404 `customerId` when there is none. */
export async function readCustomer(em: EntityManager, customerId: number) {
  const [row] = await em.execute<CustomerRow[]>(
    `select ${customerColumns}, ${isSubscribedColumn} from customer c where id = ?`,
    [customerId],
  );
  if (!row) throw noSuchEntity('customerId', customerId);
  const addresses = await readCustomerAddresses(em, [customerId]);
  return { row, addresses: addresses.get(customerId) ?? [] };
}

/** The addresses of several customers in one statement, oldest first. */
export async function readCustomerAddresses(em: EntityManager, customerIds: readonly number[]) {
  const byCustomer = new Map<number, CustomerAddressRow[]>();
  if (customerIds.length === 0) return byCustomer;
  const rows = await em.execute<CustomerAddressRow[]>(
    `select * from customer_address where customer_id = any (?::int[]) order by customer_id, id`,
    [`{${customerIds.join(',')}}`],
  );
  for (const row of rows) byCustomer.set(row.customer_id, [...(byCustomer.get(row.customer_id) ?? []), row]);
  return byCustomer;
}

/** Whether an account has this id. */
export async function isCustomer(em: EntityManager, customerId: number): Promise<boolean> {
  const rows = await em.execute<object[]>('select 1 from customer where id = ?', [customerId]);
  return rows.length > 0;
}
