import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import { isNewsletterOn } from './read-newsletter-setting.ts';
import { subscribe, unsubscribe, type AskToConfirm } from './subscribe.ts';

/** An account that is being saved. */
export interface SavedAccount {
  id: number;
  websiteId: number;
  storeId: number;
  email: string;
  /** Not null while the account itself waits for its e-mail to be confirmed. */
  confirmation?: string | null | undefined;
}

/** What a save of an account says of the newsletter. */
export interface SubscriptionWish {
  /** Absent: nothing. */
  wantsNewsletter: boolean | undefined;
  /** Who asks by mail where the store wants every e-mail confirmed. */
  ask: AskToConfirm;
}

/**
 * Brings the subscription along when an account is saved, in its transaction (platform facts 8, 11): that of its new e-mail
 * becomes the account's, its own follows a changed e-mail, and what the save wishes is done.
 */
export async function keepSubscription(
  em: EntityManager,
  { id: customerId, websiteId, storeId, email, confirmation }: SavedAccount,
  { wantsNewsletter, ask }: SubscriptionWish,
): Promise<void> {
  const key = { websiteId, email };
  if ((await hasMoved.first(em, { customerId, ...key })) !== undefined) {
    await dropStranger.run(em, { customerId, ...key });
    await move.run(em, { customerId, storeId, ...key });
  }
  await takeOver.run(em, { customerId, ...key });
  if (wantsNewsletter === false) await unsubscribe(em, key);
  if (wantsNewsletter !== true) return;
  const mustConfirm = await isNewsletterOn(em, 'newsletter/subscription/confirm', { storeId, websiteId });
  const isAccountAwaiting = (confirmation ?? null) !== null;
  await subscribe(em, { ...key, storeId, customerId, isAccountAwaiting, mustConfirm }, ask);
}

const hasMoved = statement({
  takes: { customerId: integer, websiteId: integer, email: text },
  gives: { subscriberId: integer },
  text: `
    select subscriber_id from newsletter_subscriber
    where customer_id = $customerId and (website_id <> $websiteId or lower(email) <> lower($email)) for update`,
});

/** Two rows of one e-mail cannot be: the account's own stays. */
const dropStranger = statement({
  takes: { customerId: integer, websiteId: integer, email: text },
  text: `
    delete from newsletter_subscriber
    where website_id = $websiteId and lower(email) = lower($email) and customer_id is distinct from $customerId`,
});

/** The link that was mailed to the former e-mail proves nothing about the new one. */
const move = statement({
  takes: { customerId: integer, websiteId: integer, storeId: integer, email: text },
  text: `
    update newsletter_subscriber set website_id = $websiteId, store_id = $storeId, email = $email, updated_at = now(),
      confirm_nonce = null, confirm_asked_at = null
    where customer_id = $customerId`,
});

const takeOver = statement({
  takes: { customerId: integer, websiteId: integer, email: text },
  text: `
    update newsletter_subscriber set customer_id = $customerId, updated_at = now()
    where website_id = $websiteId and lower(email) = lower($email) and customer_id is distinct from $customerId`,
});
