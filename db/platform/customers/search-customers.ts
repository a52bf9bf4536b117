import type { EntityManager } from '@mikro-orm/postgresql';
import type { SearchCriteria } from '../../../domain/platform/search-criteria.ts';
import { search, type Searchable } from '../../support/search.ts';
import { customerColumns, isSubscribedColumn, type CustomerRow } from './read-customers.ts';

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

/** Searches customers (platform facts 3, 8); the password's hash is neither searchable nor answered. */
export const searchCustomers = (em: EntityManager, criteria: SearchCriteria) =>
  search<CustomerRow>(em, criteria, searchable);
