import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { timestamps } from '../../support/shop-clock.ts';
import { Customer } from '../customers/customer.entity.ts';
import { StoreView, Website } from '../stores/store.entity.ts';

/** A present or former newsletter subscriber: one row per e-mail and website (platform facts 11). */
export const Subscriber = defineEntity({
  name: 'Subscriber',
  tableName: 'newsletter_subscriber',
  properties: {
    subscriberId: p.bigint('number').primary().autoincrement(),
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').deleteRule('cascade'),
    /** The store view of the subscription: the mail uses its name and settings. */
    storeId: () => p.manyToOne(StoreView).mapToPk().fieldName('store_id').index().deleteRule('cascade'),
    /** Null for a subscriber without an account. */
    customerId: () => p.manyToOne(Customer).mapToPk().fieldName('customer_id').deleteRule('cascade').nullable(),
    email: p.string().length(255),
    /** The platform's numbers: 1 subscribed, 2 not active, 3 unsubscribed, 4 unconfirmed. */
    status: p.integer(),
    /** Part of the confirmation link; kept afterwards, so that the link gives the same answer again. */
    confirmNonce: p.string().length(32).nullable().hidden(),
    /** When the link was last mailed. */
    confirmAskedAt: p.datetime(6).nullable(),
    ...timestamps,
  },
  uniques: [
    {
      name: 'newsletter_subscriber_once_per_website',
      expression:
        'create unique index "newsletter_subscriber_once_per_website" on "newsletter_subscriber" ("website_id", lower("email"))',
    },
    { name: 'newsletter_subscriber_once_per_account', properties: ['customerId'] },
  ],
  checks: [
    { name: 'newsletter_subscriber_status_known', expression: 'status in (1, 2, 3, 4)' },
    {
      name: 'newsletter_subscriber_link_of_who_wants_it',
      expression:
        '(confirm_nonce is null) = (confirm_asked_at is null) and (confirm_nonce is null or status in (1, 2))',
    },
  ],
});

export type Subscriber = InferEntity<typeof Subscriber>;
