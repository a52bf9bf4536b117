import type { EntityManager } from '@mikro-orm/postgresql';
import { flag, integer, text } from '../../support/kinds.ts';
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

/** What a save of an account asks for about the newsletter. */
export interface SubscriptionWish {
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
  { wantsNewsletter, ask }: SubscriptionWish,
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

const hasMoved = statement({
  takes: { customerId: integer, websiteId: integer, email: text },
  gives: { isUnproven: flag },
  text: `
    select status = 1 and lower(email) <> lower($email) as is_unproven from newsletter_subscriber
    where customer_id = $customerId and (website_id <> $websiteId or lower(email) <> lower($email)) for update`,
});

/** Deletes the account's own row where its new e-mail has unsubscribed. */
const giveWay = statement({
  takes: { customerId: integer, websiteId: integer, email: text },
  text: `
    delete from newsletter_subscriber where customer_id = $customerId and exists (
      select from newsletter_subscriber n where n.website_id = $websiteId and lower(n.email) = lower($email)
        and n.status = 3 and n.customer_id is distinct from $customerId)`,
});

/** An e-mail cannot have two rows: the account's own stays. */
const dropStranger = statement({
  takes: { customerId: integer, websiteId: integer, email: text },
  text: `
    delete from newsletter_subscriber
    where website_id = $websiteId and lower(email) = lower($email) and customer_id is distinct from $customerId`,
});

/** A link mailed to the former e-mail does not confirm the new one. */
const move = statement({
  takes: { customerId: integer, websiteId: integer, storeId: integer, email: text },
  text: `
    update newsletter_subscriber set website_id = $websiteId, store_id = $storeId, email = $email, updated_at = now(),
      confirm_nonce = null, confirm_asked_at = null
    where customer_id = $customerId`,
});

const takeProof = statement({
  takes: { websiteId: integer, email: text },
  text: `
    update newsletter_subscriber set status = 2, updated_at = now()
    where website_id = $websiteId and lower(email) = lower($email) and status = 1`,
});

const assignToCustomer = statement({
  takes: { customerId: integer, websiteId: integer, email: text },
  text: `
    update newsletter_subscriber set customer_id = $customerId, updated_at = now()
    where website_id = $websiteId and lower(email) = lower($email) and customer_id is distinct from $customerId`,
});
