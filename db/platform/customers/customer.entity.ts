import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import {
  computedFlag,
  computedText,
  optionalIds,
  optionalIntegers,
  optionalOrderIndex,
  optionalTextIndex,
  optionalTexts,
  partIndex,
  textIndex,
} from '../../support/columns.ts';
import { timestamps } from '../../support/shop-clock.ts';
import { StoreView, Website } from '../stores/store.entity.ts';

/** A customer group; 0 is "not logged in" (platform facts 8). */
export const CustomerGroup = defineEntity({
  name: 'CustomerGroup',
  tableName: 'customer_group',
  properties: {
    id: p.bigint('number').primary(),
    /** Once, in any case of letters: tier prices name a group by it. */
    code: p.string().length(32),
    taxClassId: p.bigint('number').default(3),
    /** Websites that are not for the group: kept for callers, who follow it (platform facts 8). */
    excludeWebsiteIds: p.json<number[]>().defaultRaw(`'[]'::jsonb`),
    /** Read where it is named in `populate`; empty for a tax class that does not exist. */
    taxClassName: computedText(
      ({ taxClassId }) => `coalesce((select class_name from tax_class where class_id = ${taxClassId}), '')`,
    ),
  },
  uniques: [
    {
      name: 'customer_group_code_once',
      expression: 'create unique index "customer_group_code_once" on "customer_group" (lower("code"))',
    },
  ],
});

export type CustomerGroup = InferEntity<typeof CustomerGroup>;

/** A customer account; an e-mail is unique per website, in any case of letters (platform facts 8). */
export const Customer = defineEntity({
  name: 'Customer',
  tableName: 'customer',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').deleteRule('restrict'),
    storeId: () => p.manyToOne(StoreView).mapToPk().fieldName('store_id').deleteRule('restrict'),
    groupId: () => p.manyToOne(CustomerGroup).mapToPk().fieldName('group_id').deleteRule('restrict'),
    email: p.string().length(255),
    firstname: p.string().length(255),
    lastname: p.string().length(255),
    ...optionalTexts('middlename', 'prefix', 'suffix', 'dob', 'taxvat', 'confirmation', 'createdIn'),
    ...optionalIntegers('gender'),
    ...optionalIds('defaultBilling', 'defaultShipping'),
    disableAutoGroupChange: p.integer().default(0),
    passwordHash: p.string().length(255).hidden().nullable(),
    customAttributes: p.json<Record<string, unknown>>().defaultRaw(`'{}'::jsonb`),
    addresses: () => p.oneToMany(CustomerAddress).mappedBy('customer').orphanRemoval(),
    /** Whether the newsletter goes to the customer; read where it is named in `populate`. */
    isSubscribed: computedFlag(
      ({ id }) => `exists (select from newsletter_subscriber n where n.customer_id = ${id} and n.status = 1)`,
    ),
    ...timestamps,
  },
  indexes: [
    { properties: ['createdAt'] },
    { properties: ['updatedAt'] },
    { properties: ['defaultBilling'] },
    { properties: ['defaultShipping'] },
    { properties: ['disableAutoGroupChange'] },
    // Of few values: the customers of each are in the order of their ids, for pages of a filter and of a sort.
    { properties: ['storeId', 'id'] },
    { properties: ['groupId', 'id'] },
    optionalOrderIndex('customer', 'gender', 'id'),
    ...['middlename', 'prefix', 'suffix', 'dob', 'taxvat', 'confirmation', 'created_in'].map((column) =>
      optionalTextIndex('customer', column),
    ),
    textIndex('customer', 'email'),
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
    id: p.bigint('number').primary().autoincrement(),
    customer: () => p.manyToOne(Customer).fieldName('customer_id').index().deleteRule('cascade'),
    firstname: p.string().length(255),
    lastname: p.string().length(255),
    street: p.json<string[]>().defaultRaw(`'[]'::jsonb`),
    city: p.string().length(255),
    countryId: p.string().length(2),
    regionId: p.bigint('number').nullable(),
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

/**
 * The one valid token for a new password of an account, as a digest: its mail alone has the token. A later request
 * replaces the row; a new password, however it was set, deletes it.
 */
export const PasswordReset = defineEntity({
  name: 'PasswordReset',
  tableName: 'customer_password_reset',
  properties: {
    customerId: () => p.manyToOne(Customer).mapToPk().primary().fieldName('customer_id').deleteRule('cascade'),
    digest: p.string().length(64).unique().hidden(),
    askedAt: p.datetime(6),
    expiresAt: p.datetime(6).index(),
  },
  checks: [{ name: 'customer_password_reset_expires', expression: 'expires_at > asked_at' }],
});

export type PasswordReset = InferEntity<typeof PasswordReset>;

/**
 * A customer who was erased or deleted, without a word of the person: copies of registers learn of it by the list of
 * changed customers. A trigger of `customer` writes it.
 */
export const RemovedCustomer = defineEntity({
  name: 'RemovedCustomer',
  tableName: 'removed_customer',
  properties: {
    id: p.bigint('number').primary().autoincrement(false),
    websiteId: p.bigint('number'),
    storeId: p.bigint('number'),
    groupId: p.bigint('number'),
    createdAt: p.datetime(6),
    removedAt: p.datetime(6).defaultRaw('now()').index(),
  },
});

export type RemovedCustomer = InferEntity<typeof RemovedCustomer>;
