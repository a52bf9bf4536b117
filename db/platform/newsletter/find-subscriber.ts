import type { EntityManager } from '@mikro-orm/postgresql';
import { Customer } from '../customers/customer.entity.ts';
import { flag, integer, surely, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement, type RowFrom } from '../../support/statement.ts';
import { Subscriber } from './subscriber.entity.ts';

export interface SubscriberKey {
  websiteId: number;
  email: string;
}

/** A subscription, locked or not. */
export type SubscriberRow = RowFrom<typeof read>;

/** The subscription of an e-mail on a website, in any case of letters; undefined where there never was one. */
export const findSubscriber = (em: EntityManager, key: SubscriberKey): Promise<SubscriberRow | undefined> =>
  read.first(em, key);

/** The same, locked until the transaction ends. */
export const lockSubscriber = (em: EntityManager, key: SubscriberKey): Promise<SubscriberRow | undefined> =>
  lock.first(em, key);

const gives = {
  ...of(Subscriber, 'subscriberId', 'websiteId', 'storeId', 'customerId', 'email', 'status'),
  isAsked: surely(flag),
  /** A link was mailed within the last minutes. */
  isJustAsked: surely(flag),
};
const columns = `subscriber_id, website_id, store_id, customer_id, email, status, confirm_nonce is not null as is_asked,
  coalesce(confirm_asked_at > now() - interval '10 minutes', false) as is_just_asked`;
const ofEmail = 'website_id = $websiteId and lower(email) = lower($email)';

const read = statement({
  takes: { websiteId: integer, email: text },
  gives,
  text: `select ${columns} from newsletter_subscriber where ${ofEmail}`,
});

const lock = statement({
  takes: { websiteId: integer, email: text },
  gives,
  text: `select ${columns} from newsletter_subscriber where ${ofEmail} for update`,
});

/** The fields of an account that a subscription needs. */
export type SubscribingAccount = RowFrom<typeof accountById>;

/** The account with this id; undefined for an unknown one. */
export const findAccount = (em: EntityManager, customerId: number): Promise<SubscribingAccount | undefined> =>
  accountById.first(em, { customerId });

/** The account with this e-mail on a website. */
export const findAccountOfEmail = (em: EntityManager, key: SubscriberKey): Promise<SubscribingAccount | undefined> =>
  accountByEmail.first(em, key);

const account = {
  ...of(Customer, 'id', 'websiteId', 'storeId', 'email'),
  /** The account waits for its e-mail to be confirmed. */
  isAwaiting: surely(flag),
};
const accountColumns = 'id, website_id, store_id, email, confirmation is not null as is_awaiting';

const accountById = statement({
  takes: { customerId: integer },
  gives: account,
  text: `select ${accountColumns} from customer where id = $customerId`,
});

const accountByEmail = statement({
  takes: { websiteId: integer, email: text },
  gives: account,
  text: `select ${accountColumns} from customer where website_id = $websiteId and lower(email) = lower($email)`,
});
