import { z } from 'zod';
import { unsubscribe } from '../../db/platform/newsletter/subscribe.ts';
import { route } from '../http/route.ts';
import { integer, text } from '../wire/schemas.ts';
import { emailOutcomes, foreignOutcome, newsletterAnswer, newsletterStateOf } from './newsletter-answer.ts';
import { findSubscribing, newsletterEmail } from './newsletter-subscriber.ts';

/**
 * Unsubscribes an e-mail from the newsletter (spec 4.5). For an e-mail that is not subscribed it answers the present
 * state.
 */
export const unsubscribeNewsletter = route({
  method: 'POST',
  path: '/V1/pos/newsletter/unsubscribe',
  acl: 'Platform_Customer::manage',
  name: 'unsubscribeNewsletter',
  summary: 'Take an e-mail off the newsletter',
  description:
    'A subscriber becomes `unsubscribed`; every other state stays, and is answered. Guests may leave whatever ' +
    'the store says of guests who join.',
  outcomes: [...emailOutcomes, foreignOutcome],
  examples: [
    {
      title: 'a customer leaves',
      body: { email: 'ada@example.com', customerId: 1 },
      response: { subscribed: false, status: 'unsubscribed' },
    },
  ],
  body: z.object({ email: text(1_000), customerId: integer.nullish() }),
  response: newsletterAnswer,

  async handle({ em, body, store }) {
    const email = newsletterEmail(body.email);
    const who = await findSubscribing(em, { email, customerId: body.customerId ?? undefined, store });
    await unsubscribe(em, who);
    return newsletterStateOf(em, who);
  },
});
