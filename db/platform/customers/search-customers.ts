import type { EntityManager } from '@mikro-orm/postgresql';
import { erasedAddress } from '../../../domain/customers.ts';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { recordOf } from '../../support/fields.ts';
import { search, type Found, type Searchable } from '../../support/search.ts';
import { Customer } from './customer.entity.ts';
import type { CustomerRow } from './read-customers.ts';

/** What a list of customers selects; never the password. */
const customerColumns = `
  id, website_id, store_id, group_id, email, firstname, lastname, middlename, prefix, suffix, dob, taxvat, confirmation,
  created_in, gender, default_billing, default_shipping, disable_auto_group_change, custom_attributes, created_at,
  updated_at`;

/** Whether the customer `c` is subscribed to the newsletter. */
const isSubscribedColumn = `exists (
  select from newsletter_subscriber n where n.customer_id = c.id and n.status = 1) as is_subscribed`;

const text = (column: string) => ({ column, type: 'text' }) as const;
const optionalText = (column: string) => ({ column, type: 'text', isNullable: true }) as const;

const searchable: Searchable = {
  // One to one: fields that begin with `billing_` are those of the default billing address (platform facts 3.2).
  table: 'customer c left join customer_address b on b.id = c.default_billing',
  columns: `${customerColumns.replaceAll(/(\w+)/g, 'c.$1')}, ${isSubscribedColumn}`,
  fields: {
    id: { column: 'c.id', type: 'integer' },
    entity_id: { column: 'c.id', type: 'integer' },
    website_id: { column: 'c.website_id', type: 'integer' },
    store_id: { column: 'c.store_id', type: 'integer' },
    group_id: { column: 'c.group_id', type: 'integer' },
    email: text('c.email'),
    firstname: text('c.firstname'),
    lastname: text('c.lastname'),
    middlename: optionalText('c.middlename'),
    prefix: optionalText('c.prefix'),
    suffix: optionalText('c.suffix'),
    name: text(`(c.firstname || ' ' || c.lastname)`),
    dob: optionalText('c.dob'),
    gender: { column: 'c.gender', type: 'integer', isNullable: true },
    taxvat: optionalText('c.taxvat'),
    confirmation: optionalText('c.confirmation'),
    default_billing: { column: 'c.default_billing', type: 'integer', isNullable: true },
    default_shipping: { column: 'c.default_shipping', type: 'integer', isNullable: true },
    disable_auto_group_change: { column: 'c.disable_auto_group_change', type: 'integer' },
    created_in: optionalText('c.created_in'),
    created_at: { column: 'c.created_at', type: 'timestamp' },
    updated_at: { column: 'c.updated_at', type: 'timestamp' },
    billing_postcode: optionalText('b.postcode'),
    billing_city: optionalText('b.city'),
    billing_telephone: optionalText('b.telephone'),
    billing_region: optionalText('b.region'),
    billing_country_id: optionalText('b.country_id'),
    billing_company: optionalText('b.company'),
  },
  order: 'c.id',
  kept: { list: 'customer', alias: 'c' },
};

/** Those who are there, and those who were erased or deleted, who have a number and no name any more. */
const presentAndRemoved = `(
  select ${customerColumns} from customer
  union all
  select id, website_id, store_id, group_id, '${erasedAddress("' || id || '")}', 'Erased', 'Customer', null, null, null,
    null, null, null, null, null, null, null, 0, '{}'::jsonb, created_at, removed_at
  from removed_customer)`;

const { kept: _kept, ...withoutCount } = searchable;
const searchableDelta: Searchable = {
  ...withoutCount,
  table: `${presentAndRemoved} c left join customer_address b on b.id = c.default_billing`,
};

const lowerBounds: ReadonlySet<string> = new Set(['gt', 'gteq', 'from', 'moreq']);

/** Whether only what changed since a moment is asked for, as a copy of the customers does. */
const isDelta = ({ groups }: SearchCriteria) =>
  groups.some((group) => group.every(({ field, condition }) => field === 'updated_at' && lowerBounds.has(condition)));

/**
 * Searches customers (platform facts 3, 8); the password's hash is neither searchable nor answered. A list of what
 * changed since a moment has the removed ones, too.
 */
export async function searchCustomers(em: EntityManager, criteria: SearchCriteria): Promise<Found<CustomerRow>> {
  const { rows, totalCount } = await search<{ is_subscribed: boolean }>(
    em,
    criteria,
    isDelta(criteria) ? searchableDelta : searchable,
  );
  return {
    rows: rows.map((row) => ({ ...recordOf(Customer, row), isSubscribed: row.is_subscribed })),
    totalCount,
  };
}
