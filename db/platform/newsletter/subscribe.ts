import { randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { afterSubscribing, newsletterDefaults, notActive } from '../../../domain/platform/newsletter.ts';
import { sql } from '../../support/sql.ts';
import type { RowFrom } from '../../support/statement.ts';
import { readConfigValue } from '../stores/read-config-value.ts';

export interface SubscriberKey {
  websiteId: number;
  email: string;
}

/** A subscription, locked or not. */
type SubscriberRow = RowFrom<typeof selectSubscriber>;

/** The subscription of an e-mail on a website, in any case of letters; undefined where there never was one. */
export const findSubscriber = (em: EntityManager, key: SubscriberKey): Promise<SubscriberRow | undefined> =>
  selectSubscriber.first(em, key);

/** The same, locked until the transaction ends. */
const lockSubscriber = (em: EntityManager, key: SubscriberKey): Promise<SubscriberRow | undefined> =>
  lock.first(em, key);
const columns = `subscriber_id, website_id, store_id, customer_id, email, status, confirm_nonce is not null as is_asked,
  coalesce(confirm_asked_at > now() - interval '10 minutes', false) as is_just_asked`;
const ofEmail = 'website_id = $websiteId and lower(email) = lower($email)';

const selectSubscriber = sql(
  'subscribe.selectSubscriber',
)`select ${columns} from newsletter_subscriber where ${ofEmail}`;

const lock = sql('subscribe.lock')`select ${columns} from newsletter_subscriber where ${ofEmail} for update`;

/** The fields of an account that a subscription needs. */
export type SubscribingAccount = RowFrom<typeof accountById>;

/** The account with this id; undefined for an unknown one. */
export const findAccount = (em: EntityManager, customerId: number): Promise<SubscribingAccount | undefined> =>
  accountById.first(em, { customerId });

/** The account with this e-mail on a website. */
export const findAccountOfEmail = (em: EntityManager, key: SubscriberKey): Promise<SubscribingAccount | undefined> =>
  accountByEmail.first(em, key);

const accountColumns = 'id, website_id, store_id, email, confirmation is not null as is_awaiting';

const accountById = sql('subscribe.accountById')`select ${accountColumns} from customer where id = $customerId`;

const accountByEmail = sql('subscribe.accountByEmail')`
  select ${accountColumns} from customer where website_id = $websiteId and lower(email) = lower($email)`;

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
type AskToConfirm = (em: EntityManager, subscriberId: number) => Promise<void>;

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
const insert = sql('subscribe.insert')`
  insert into newsletter_subscriber (website_id, store_id, email, status) values ($websiteId, $storeId, $email, 2)
  on conflict do nothing`;

/** Deletes the account's former subscription: an account has one, that of its present e-mail. */
const leaveFormer = sql('subscribe.leaveFormer')`
  update newsletter_subscriber set customer_id = null
  where customer_id = $customerId and subscriber_id <> $subscriberId`;

/** The link stays the same until it is used or the subscription ends, so that each of several mails works. */
const save = sql('subscribe.save')`
  update newsletter_subscriber set status = $status, customer_id = $customerId?, store_id = $storeId,
    updated_at = now(),
    confirm_nonce = case when $status = 4 then null when $asks then coalesce(confirm_nonce, $nonce) else confirm_nonce
      end,
    confirm_asked_at = case when $status = 4 then null when $asks then now() else confirm_asked_at end
  where subscriber_id = $subscriberId`;

/** Unsubscribes an e-mail; other states are unchanged. Safe to repeat. */
export const unsubscribe = async (em: EntityManager, key: SubscriberKey): Promise<void> =>
  void (await takeOff.run(em, key));

const takeOff = sql('subscribe.takeOff')`
  update newsletter_subscriber set status = 3, confirm_nonce = null, confirm_asked_at = null, updated_at = now()
  where website_id = $websiteId and lower(email) = lower($email) and status = 1`;

/** Whether a setting of the newsletter is on in a store view. */
export async function isNewsletterOn(
  em: EntityManager,
  path: keyof typeof newsletterDefaults,
  store: { storeId: number; websiteId: number },
): Promise<boolean> {
  const value = (await readConfigValue(em, path, store)) ?? newsletterDefaults[path];
  return !['', '0', 'false'].includes(value.trim());
}

/** An account that is being saved. */
export interface SavedAccount {
  id: number;
  websiteId: number;
  storeId: number;
  email: string;
  /** Not null while the account itself waits for its e-mail to be confirmed. */
  confirmation?: string | null | undefined;
}

/** What a save of an account asks for about the newsletter. */
export interface SubscriptionInput {
  /** Absent: no change. */
  wantsNewsletter: boolean | undefined;
  /** Sends the question by mail, where the store wants every e-mail confirmed. */
  ask: AskToConfirm;
}

/**
 * Updates the subscription when an account is saved, in its transaction (platform facts 8, 11). A subscription of its
 * new e-mail becomes the account's, its own follows a changed e-mail, and the save's wish is applied.
 *
 * An e-mail that unsubscribed stays unsubscribed, now as the account's row. Where the store wants every e-mail
 * confirmed, the new one must confirm, whatever the former one did.
 */
export async function keepSubscription(
  em: EntityManager,
  { id: customerId, websiteId, storeId, email, confirmation }: SavedAccount,
  { wantsNewsletter, ask }: SubscriptionInput,
): Promise<void> {
  const key = { websiteId, email };
  const mustConfirm = () => isNewsletterOn(em, 'newsletter/subscription/confirm', { storeId, websiteId });
  const moved = await follow(em, { customerId, storeId, ...key });
  await assignToCustomer.run(em, { customerId, ...key });
  if (wantsNewsletter === false) return unsubscribe(em, key);
  const isUnproven = moved?.isUnproven === true && (await mustConfirm());
  if (isUnproven) await takeProof.run(em, key);
  if (wantsNewsletter !== true && !isUnproven) return;
  const isAccountAwaiting = (confirmation ?? null) !== null;
  // Changing an account's e-mail must not subscribe an address whose owner unsubscribed.
  const asksFirst = moved?.isOptedOut === true || (await mustConfirm());
  await subscribe(em, { ...key, storeId, customerId, isAccountAwaiting, mustConfirm: asksFirst }, ask);
}

/** The account's subscription belongs to another e-mail or website. */
interface Moved {
  /** It was subscribed, and its new e-mail is not confirmed. */
  isUnproven: boolean;
  /** The new e-mail has unsubscribed. */
  isOptedOut: boolean;
}

async function follow(em: EntityManager, account: SubscribedAccount): Promise<Moved | undefined> {
  const { customerId, websiteId, email } = account;
  const moved = await hasMoved.first(em, { customerId, websiteId, email });
  if (!moved) return undefined;
  const isOptedOut = (await giveWay.run(em, { customerId, websiteId, email })) > 0;
  if (isOptedOut) return { isUnproven: false, isOptedOut };
  await dropStranger.run(em, { customerId, websiteId, email });
  await move.run(em, account);
  return { isUnproven: moved.isUnproven, isOptedOut };
}

type SubscribedAccount = Pick<SavedAccount, 'websiteId' | 'storeId' | 'email'> & { customerId: number };

const hasMoved = sql('subscribe.hasMoved')`
  select status = 1 and lower(email) <> lower($email) as is_unproven from newsletter_subscriber
  where customer_id = $customerId and (website_id <> $websiteId or lower(email) <> lower($email)) for update`;

/** Deletes the account's own row where its new e-mail has unsubscribed. */
const giveWay = sql('subscribe.giveWay')`
  delete from newsletter_subscriber where customer_id = $customerId and exists (
    select from newsletter_subscriber n where n.website_id = $websiteId and lower(n.email) = lower($email)
      and n.status = 3 and n.customer_id is distinct from $customerId)`;

/** An e-mail cannot have two rows: the account's own stays. */
const dropStranger = sql('subscribe.dropStranger')`
  delete from newsletter_subscriber
  where website_id = $websiteId and lower(email) = lower($email) and customer_id is distinct from $customerId`;

/** A link mailed to the former e-mail does not confirm the new one. */
const move = sql('subscribe.move')`
  update newsletter_subscriber set website_id = $websiteId, store_id = $storeId, email = $email, updated_at = now(),
    confirm_nonce = null, confirm_asked_at = null
  where customer_id = $customerId`;

const takeProof = sql('subscribe.takeProof')`
  update newsletter_subscriber set status = 2, updated_at = now()
  where website_id = $websiteId and lower(email) = lower($email) and status = 1`;

const assignToCustomer = sql('subscribe.assignToCustomer')`
  update newsletter_subscriber set customer_id = $customerId, updated_at = now()
  where website_id = $websiteId and lower(email) = lower($email) and customer_id is distinct from $customerId`;
