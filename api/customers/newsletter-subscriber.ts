import type { EntityManager } from '@mikro-orm/postgresql';
import { findAccount, findAccountOfEmail } from '../../db/platform/newsletter/find-subscriber.ts';
import { isNewsletterOn } from '../../db/platform/newsletter/read-newsletter-setting.ts';
import type { Subscribing } from '../../db/platform/newsletter/subscribe.ts';
import { findCustomerStore } from '../../db/platform/stores/find-customer-store.ts';
import { invalid } from '../../domain/errors.ts';
import { isEmailAddress } from '../../domain/platform/customers/customer-errors.ts';
import { emailKey, isEmail } from '../../domain/staff/email-key.ts';
import type { StoreScope } from '../http/route.ts';

/** Refused with 400: an empty or invalid e-mail. */
export function newsletterEmail(given: string): string {
  const email = given.trim();
  if (email === '') throw invalid('You must specify an email address to subscribe to a newsletter.');
  if (!isEmail(email) || !isEmailAddress(email)) throw invalid('Enter a valid email address.');
  return email;
}

/** The store of a newsletter call: the one it runs in, the default one in the `all` scope. */
export const newsletterStore = (em: EntityManager, store: StoreScope) =>
  findCustomerStore(em, { currentStoreId: store.storeId });

/**
 * The owner of a subscription (spec 4.5): the account of `customerId`, if the e-mail is its own; otherwise a guest.
 * An account's subscription belongs to the account's website.
 *
 * Refused with 400: an e-mail of an account other than `customerId`.
 */
export async function findSubscribing(
  em: EntityManager,
  { email, customerId, store }: { email: string; customerId: number | undefined; store: StoreScope },
): Promise<Subscribing> {
  const here = await newsletterStore(em, store);
  const named = customerId ? await findAccount(em, customerId) : undefined;
  const isOwn = named !== undefined && emailKey(named.email) === emailKey(email);
  if (!isOwn && (await findAccountOfEmail(em, { email, websiteId: here.websiteId })) !== undefined)
    throw invalid('Cannot create a newsletter subscription.');
  const { websiteId } = isOwn ? named : here;
  const storeId = isOwn && named.websiteId !== here.websiteId ? named.storeId : here.storeId;
  return {
    email: isOwn ? named.email : email,
    websiteId,
    storeId,
    customerId: isOwn ? named.id : null,
    isAccountAwaiting: isOwn && named.isAwaiting,
    mustConfirm: await isNewsletterOn(em, 'newsletter/subscription/confirm', { storeId, websiteId }),
  };
}
