import { z } from 'zod';
import { postConfirmationMail } from '../../db/mails/post-confirmation-mail.ts';
import { isNewsletterOn } from '../../db/platform/newsletter/read-newsletter-setting.ts';
import { subscribe } from '../../db/platform/newsletter/subscribe.ts';
import { transact } from '../../db/support/transact.ts';
import { invalid } from '../../domain/errors.ts';
import { sendMailSoon } from '../temporal/send-mail-soon.ts';
import { route } from '../http/route.ts';
import { integer, text } from '../wire/schemas.ts';
import { emailOutcomes, foreignOutcome, newsletterAnswer, newsletterStateOf } from './newsletter-answer.ts';
import { findSubscribing, newsletterEmail } from './newsletter-subscriber.ts';

const noGuests = 'Guests can not subscribe to the newsletter. You must create an account to subscribe.';

/**
 * Subscribes an e-mail to the newsletter (spec 4.5). A `customerId` with this e-mail links the subscription to the
 * account; otherwise the subscriber is a guest. A repeat answers the present state.
 */
export const subscribeNewsletter = route({
  method: 'POST',
  path: '/V1/pos/newsletter/subscribe',
  acl: 'Platform_Customer::manage',
  name: 'subscribeNewsletter',
  summary: 'Subscribe an e-mail to the newsletter',
  description:
    'Where the store wants every e-mail confirmed (`newsletter/subscription/confirm`), the answer is `unconfirmed` and a ' +
    'mail asks the customer; it stays `unconfirmed` until its link was followed. A repeat answers the state there is; ' +
    'a second mail goes out after ten minutes at the earliest.',
  outcomes: [
    ...emailOutcomes,
    foreignOutcome,
    {
      status: 400,
      message: noGuests,
      when: 'The e-mail has no account, and the store wants accounts only.',
      then: 'Offer to create an account.',
    },
  ],
  examples: [
    {
      title: 'with an account',
      body: { email: 'ada@example.com', customerId: 1 },
      response: { subscribed: true, status: 'subscribed' },
    },
    {
      title: 'a guest of a store that asks first',
      body: { email: 'bo@example.com' },
      response: { subscribed: false, status: 'unconfirmed' },
    },
  ],
  body: z.object({ email: text(1_000), customerId: integer.nullish() }),
  response: newsletterAnswer,

  async handle({ em, body, store, workflows, log }) {
    const email = newsletterEmail(body.email);
    const who = await findSubscribing(em, { email, customerId: body.customerId ?? undefined, store });
    if (who.customerId === null && !(await isNewsletterOn(em, 'newsletter/subscription/allow_guest_subscribe', who)))
      throw invalid(noGuests);
    let mailId: number | undefined;
    await transact(em, (tx) =>
      subscribe(tx, who, async (tx, subscriberId) => {
        mailId = await postConfirmationMail(tx, subscriberId);
      }),
    );
    if (mailId !== undefined) sendMailSoon(mailId, { workflows, log });
    return newsletterStateOf(em, who);
  },
});
