import { z } from 'zod';
import type { EntityManager } from '@mikro-orm/postgresql';
import { findSubscriber, type SubscriberKey } from '../../db/platform/newsletter/find-subscriber.ts';
import { subscriptionWord, subscriptionWords } from '../../domain/platform/newsletter/subscription.ts';
import type { Outcome } from '../http/route.ts';

/** The state of a subscription (spec 2.18). */
export const newsletterAnswer = z
  .object({ subscribed: z.boolean(), status: z.enum(subscriptionWords) })
  .meta({ id: 'NewsletterState' });

/** The present state, which each of the three routes answers. */
export async function newsletterStateOf(
  em: EntityManager,
  key: SubscriberKey,
): Promise<z.input<typeof newsletterAnswer>> {
  const status = subscriptionWord(await findSubscriber(em, key));
  return { subscribed: status === 'subscribed', status };
}

export const emailOutcomes: readonly Outcome[] = [
  {
    status: 400,
    message: 'Enter a valid email address.',
    when: 'What was sent is no e-mail address.',
    then: 'Let the customer spell it again.',
  },
  {
    status: 400,
    message: 'You must specify an email address to subscribe to a newsletter.',
    when: 'The e-mail is empty.',
  },
];

export const foreignOutcome: Outcome = {
  status: 400,
  message: 'Cannot create a newsletter subscription.',
  when: 'The e-mail belongs to an account, and `customerId` is not that account.',
  then: 'Attach the customer to the sale and send the id of the account.',
};
