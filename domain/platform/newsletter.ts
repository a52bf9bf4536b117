/** States of a newsletter subscription and their transitions (platform facts 11; spec 4.5). Pure. */

export const newsletterDefaults = {
  /** Whether the owner of an e-mail must confirm it before the newsletter is sent. */
  'newsletter/subscription/confirm': '0',
  /** Whether an e-mail without an account may subscribe. */
  'newsletter/subscription/allow_guest_subscribe': '1',
} as const;

/** As they are stored, by the platform's numbers. */
export const subscribed = 1;
export const notActive = 2;
export const unsubscribed = 3;
export const unconfirmed = 4;
export type SubscriberStatus = 1 | 2 | 3 | 4;

export const subscriptionWords = ['subscribed', 'not_active', 'unconfirmed', 'unsubscribed', 'none'] as const;
export type SubscriptionWord = (typeof subscriptionWords)[number];

/** A stored row as the rules see it. */
export interface Subscription {
  status: number;
  /** A mail with a confirmation link was sent. */
  isAsked: boolean;
}

/** The state in the interface's words; a subscriber who has not answered the mail is `unconfirmed` (our choice). */
export function subscriptionWord(row: Subscription | undefined): SubscriptionWord {
  if (row === undefined) return 'none';
  if (row.status === subscribed) return 'subscribed';
  if (row.status === unsubscribed) return 'unsubscribed';
  return row.status === unconfirmed || row.isAsked ? 'unconfirmed' : 'not_active';
}

/** The state after a request to subscribe; subscribed stays subscribed. */
export function afterSubscribing(
  row: Subscription | undefined,
  { isAccountAwaiting, mustConfirm }: { isAccountAwaiting: boolean; mustConfirm: boolean },
): SubscriberStatus {
  if (row?.status === subscribed) return subscribed;
  if (isAccountAwaiting) return unconfirmed;
  return mustConfirm ? notActive : subscribed;
}

/** For how many minutes a repeated request sends no second mail. */
export const askAgainMinutes = 10;
/** For how many days the link in a mail works. */
export const linkDays = 30;
