import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { afterSubscribing, notActive } from '../../../domain/platform/newsletter/subscription.ts';
import { flag, integer, orNull, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { lockSubscriber, type SubscriberKey, type SubscriberRow } from './find-subscriber.ts';

/** A subscriber to add. */
export interface Subscribing extends SubscriberKey {
  storeId: number;
  /** The account with this e-mail; null for a guest. */
  customerId: number | null;
  /** The account waits for its e-mail to be confirmed. */
  isAccountAwaiting: boolean;
  /** The store wants every e-mail confirmed. */
  mustConfirm: boolean;
}

/** Posts the mail that asks a subscriber to confirm, in the same transaction. */
export type AskToConfirm = (em: EntityManager, subscriberId: number) => Promise<void>;

/**
 * Subscribes an e-mail, within the caller's transaction (platform facts 11).
 *
 * Repeated and concurrent calls leave one row in the same state; a second confirmation mail is sent after ten minutes
 * at the earliest.
 */
export async function subscribe(em: EntityManager, who: Subscribing, ask: AskToConfirm): Promise<void> {
  const { row, isNew } = await lockOrInsert(em, who);
  const status = afterSubscribing(isNew ? undefined : row, who);
  const asks = status === notActive && !(row.isAsked && row.isJustAsked);
  const customerId = who.customerId ?? row.customerId;
  const isSame = status === row.status && customerId === row.customerId;
  if (isSame && !asks) return;
  const storeId = isSame ? row.storeId : who.storeId;
  if (customerId !== null) await leaveFormer.run(em, { customerId, subscriberId: row.subscriberId });
  const nonce = randomBytes(16).toString('hex');
  await save.run(em, { subscriberId: row.subscriberId, status, customerId, storeId, asks, nonce });
  if (asks) await ask(em, row.subscriberId);
}

/** Of concurrent calls one inserts; the others wait for it and find its row. */
async function lockOrInsert(em: EntityManager, who: Subscribing): Promise<{ row: SubscriberRow; isNew: boolean }> {
  const found = await lockSubscriber(em, who);
  if (found) return { row: found, isNew: false };
  const { websiteId, storeId, email } = who;
  const isNew = (await insert.run(em, { websiteId, storeId, email })) > 0;
  const row = await lockSubscriber(em, who);
  if (!row) throw new Error('a subscription is gone that was there a moment ago');
  return { row, isNew };
}

/** Inactive until the same transaction sets its state. */
const insert = statement({
  takes: { websiteId: integer, storeId: integer, email: text },
  text: `
    insert into newsletter_subscriber (website_id, store_id, email, status) values ($websiteId, $storeId, $email, 2)
    on conflict do nothing`,
});

/** Deletes the account's former subscription: an account has one, that of its present e-mail. */
const leaveFormer = statement({
  takes: { customerId: integer, subscriberId: integer },
  text: `
    update newsletter_subscriber set customer_id = null
    where customer_id = $customerId and subscriber_id <> $subscriberId`,
});

/** The link stays the same until it is used or the subscription ends, so that each of several mails works. */
const save = statement({
  takes: {
    subscriberId: integer,
    status: integer,
    customerId: orNull(integer),
    storeId: integer,
    asks: flag,
    nonce: text,
  },
  text: `
    update newsletter_subscriber set status = $status, customer_id = $customerId, store_id = $storeId, updated_at = now(),
      confirm_nonce = case when $status = 4 then null when $asks then coalesce(confirm_nonce, $nonce) else confirm_nonce end,
      confirm_asked_at = case when $status = 4 then null when $asks then now() else confirm_asked_at end
    where subscriber_id = $subscriberId`,
});

/** Unsubscribes an e-mail; other states are unchanged. Safe to repeat. */
export const unsubscribe = async (em: EntityManager, key: SubscriberKey): Promise<void> =>
  void (await takeOff.run(em, key));

const takeOff = statement({
  takes: { websiteId: integer, email: text },
  text: `
    update newsletter_subscriber set status = 3, confirm_nonce = null, confirm_asked_at = null, updated_at = now()
    where website_id = $websiteId and lower(email) = lower($email) and status = 1`,
});
