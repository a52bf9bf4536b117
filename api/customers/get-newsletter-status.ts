import { z } from 'zod';
import { route } from '../http/route.ts';
import { text } from '../wire/schemas.ts';
import { emailOutcomes, newsletterAnswer, newsletterStateOf } from './newsletter-answer.ts';
import { newsletterEmail, newsletterStore } from './newsletter-subscriber.ts';

/** Whether an e-mail gets the newsletter of the website the call runs in (spec 4.5). */
export const getNewsletterStatus = route({
  method: 'GET',
  path: '/V1/pos/newsletter/status',
  acl: 'Platform_Customer::manage',
  name: 'getNewsletterStatus',
  summary: 'Whether an e-mail gets the newsletter',
  description:
    '`none` was never subscribed; `unconfirmed` was asked by mail, or awaits the confirmation of its account; ' +
    '`not_active` neither gets it nor was asked.',
  outcomes: emailOutcomes,
  examples: [
    { title: 'subscribed', query: 'email=ada@example.com', response: { subscribed: true, status: 'subscribed' } },
    { title: 'never heard of', query: 'email=bo@example.com', response: { subscribed: false, status: 'none' } },
  ],
  query: z.object({ email: text(1_000) }),
  response: newsletterAnswer,

  async handle({ em, query, store }) {
    const email = newsletterEmail(query.email);
    const { websiteId } = await newsletterStore(em, store);
    return newsletterStateOf(em, { email, websiteId });
  },
});
