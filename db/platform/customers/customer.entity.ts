import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { optionalIntegers, optionalTexts } from '../../support/columns.ts';
import { partIndex, textIndex } from '../../support/search-indexes.ts';
import { timestamps } from '../../support/timestamps.ts';
import { StoreView } from '../stores/store-view.entity.ts';
import { Website } from '../stores/website.entity.ts';
import { CustomerGroup } from './customer-group.entity.ts';

/** A customer account; an e-mail is unique per website, in any case of letters (platform facts 8). */
export const Customer = defineEntity({
  name: 'Customer',
  tableName: 'customer',
  properties: {
    id: p.integer().primary().autoincrement(),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').deleteRule('restrict'),
    storeId: () => p.manyToOne(StoreView).mapToPk().fieldName('store_id').index().deleteRule('restrict'),
    groupId: () => p.manyToOne(CustomerGroup).mapToPk().fieldName('group_id').index().deleteRule('restrict'),
    email: p.string().length(255),
    firstname: p.string().length(255),
    lastname: p.string().length(255),
    ...optionalTexts('middlename', 'prefix', 'suffix', 'dob', 'taxvat', 'confirmation', 'createdIn'),
    ...optionalIntegers('gender', 'defaultBilling', 'defaultShipping'),
    disableAutoGroupChange: p.integer().default(0),
    passwordHash: p.string().length(255).hidden().nullable(),
    customAttributes: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    addresses: () => p.oneToMany(CustomerAddress).mappedBy('customer').orphanRemoval(),
    ...timestamps,
  },
  indexes: [
    { properties: ['createdAt'] },
    { properties: ['updatedAt'] },
    { properties: ['defaultBilling'] },
    { properties: ['defaultShipping'] },
    { properties: ['disableAutoGroupChange'] },
    { properties: ['gender'] },
    ...['middlename', 'prefix', 'suffix', 'dob', 'taxvat', 'confirmation', 'created_in', 'email'].map((column) =>
      textIndex('customer', column),
    ),
    textIndex('customer', 'firstname'),
    textIndex('customer', 'lastname'),
    partIndex('customer', 'email'),
    partIndex('customer', 'firstname'),
    partIndex('customer', 'lastname'),
    partIndex('customer', 'name', `"firstname" || ' ' || "lastname"`),
    textIndex('customer', 'name', `"firstname" || ' ' || "lastname"`),
  ],
  uniques: [
    {
      name: 'customer_email_once_per_website',
      expression: 'create unique index "customer_email_once_per_website" on "customer" ("website_id", lower("email"))',
    },
  ],
});
export type Customer = InferEntity<typeof Customer>;

export const CustomerAddress = defineEntity({
  name: 'CustomerAddress',
  tableName: 'customer_address',
  properties: {
    id: p.integer().primary().autoincrement(),
    customer: () => p.manyToOne(Customer).fieldName('customer_id').index().deleteRule('cascade'),
    firstname: p.string().length(255),
    lastname: p.string().length(255),
    street: p.json<string[]>().defaultRaw(`'[]'::jsonb`),
    city: p.string().length(255),
    countryId: p.string().length(2),
    regionId: p.integer().nullable(),
    ...optionalTexts(
      'region',
      'regionCode',
      'postcode',
      'telephone',
      'company',
      'fax',
      'middlename',
      'prefix',
      'suffix',
      'vatId',
    ),
  },
  indexes: ['telephone', 'postcode', 'city', 'region', 'country_id', 'company'].map((column) =>
    textIndex('customer_address', column),
  ),
});
export type CustomerAddress = InferEntity<typeof CustomerAddress>;
