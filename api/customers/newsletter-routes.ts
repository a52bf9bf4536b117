import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { postConfirmationMail } from '../../db/mails/post-document-mail.ts';
import {
  findAccount,
  findAccountOfEmail,
  findSubscriber,
  isNewsletterOn,
  subscribe,
  unsubscribe,
  type SubscriberKey,
  type Subscribing,
} from '../../db/platform/newsletter/subscribe.ts';
import { findCustomerStore } from '../../db/platform/stores/find-customer-store.ts';
import { transact } from '../../db/support/transact.ts';
import { isEmailAddress } from '../../domain/platform/customers.ts';
import { subscriptionWord, subscriptionWords } from '../../domain/platform/newsletter.ts';
import {
  emailNotValid,
  emailRequiredToSubscribe,
  guestsCannotSubscribe,
  subscriptionNotCreated,
} from '../../domain/refusals/customers.ts';
import { emailKey, isEmail } from '../../domain/staff.ts';
import { route, type AnyRoute, type Outcome, type StoreScope } from '../http/route.ts';
import { sendMailSoon } from '../temporal/send-mail-soon.ts';
import { recordId, text } from '../wire/schemas.ts';

/** The state of a subscription (spec 2.18). */
const newsletterAnswer = z
  .object({ subscribed: z.boolean(), status: z.enum(subscriptionWords) })
  .meta({ id: 'NewsletterState' });

/** The present state, which each of the three routes answers. */
async function newsletterStateOf(em: EntityManager, key: SubscriberKey): Promise<z.input<typeof newsletterAnswer>> {
  const status = subscriptionWord(await findSubscriber(em, key));
  return { subscribed: status === 'subscribed', status };
}

const emailOutcomes: readonly Outcome[] = [
  emailNotValid.because('What was sent is no e-mail address.', 'Let the customer spell it again.'),
  emailRequiredToSubscribe,
];

/** Refused with 400: an empty or invalid e-mail. */
function newsletterEmail(input: string): string {
  const email = input.trim();
  if (email === '') throw emailRequiredToSubscribe();
  if (!isEmail(email) || !isEmailAddress(email)) throw emailNotValid();
  return email;
}

/** The store of a newsletter call: the one it runs in, the default one in the `all` scope. */
const newsletterStore = (em: EntityManager, store: StoreScope) =>
  findCustomerStore(em, { currentStoreId: store.storeId });

/**
 * The owner of a subscription (spec 4.5): the account of `customerId`, if the e-mail is its own; otherwise a guest.
 * An account's subscription belongs to the account's website.
 *
 * Refused with 400: an e-mail of an account other than `customerId`.
 */
async function findSubscribing(
  em: EntityManager,
  { email, customerId, store }: { email: string; customerId: number | undefined; store: StoreScope },
): Promise<Subscribing> {
  const here = await newsletterStore(em, store);
  const named = customerId ? await findAccount(em, customerId) : undefined;
  const isOwn = named !== undefined && emailKey(named.email) === emailKey(email);
  if (!isOwn && (await findAccountOfEmail(em, { email, websiteId: here.websiteId })) !== undefined)
    throw subscriptionNotCreated();
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

/** Whether an e-mail gets the newsletter of the website the call runs in (spec 4.5). */
const getNewsletterStatus = route({
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

/**
 * Subscribes an e-mail to the newsletter (spec 4.5). A `customerId` with this e-mail links the subscription to the
 * account; otherwise the subscriber is a guest. A repeat answers the present state.
 */
const subscribeNewsletter = route({
  method: 'POST',
  path: '/V1/pos/newsletter/subscribe',
  acl: 'Platform_Customer::manage',
  name: 'subscribeNewsletter',
  summary: 'Subscribe an e-mail to the newsletter',
  description:
    'Where the store wants every e-mail confirmed (`newsletter/subscription/confirm`), the answer is ' +
    '`unconfirmed` and a mail asks the customer; it stays `unconfirmed` until its link was followed. A repeat ' +
    'answers the state there is; a second mail goes out after ten minutes at the earliest.',
  outcomes: [...emailOutcomes, subscriptionNotCreated, guestsCannotSubscribe],
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
  body: z.object({ email: text(1_000), customerId: recordId.nullish() }),
  response: newsletterAnswer,

  async handle({ em, body, store, workflows, log }) {
    const email = newsletterEmail(body.email);
    const who = await findSubscribing(em, { email, customerId: body.customerId ?? undefined, store });
    if (who.customerId === null && !(await isNewsletterOn(em, 'newsletter/subscription/allow_guest_subscribe', who)))
      throw guestsCannotSubscribe();
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

/**
 * Unsubscribes an e-mail from the newsletter (spec 4.5). For an e-mail that is not subscribed it answers the present
 * state.
 */
const unsubscribeNewsletter = route({
  method: 'POST',
  path: '/V1/pos/newsletter/unsubscribe',
  acl: 'Platform_Customer::manage',
  name: 'unsubscribeNewsletter',
  summary: 'Take an e-mail off the newsletter',
  description:
    'A subscriber becomes `unsubscribed`; every other state stays, and is answered. Guests may leave whatever ' +
    'the store says of guests who join.',
  outcomes: [...emailOutcomes, subscriptionNotCreated],
  examples: [
    {
      title: 'a customer leaves',
      body: { email: 'ada@example.com', customerId: 1 },
      response: { subscribed: false, status: 'unsubscribed' },
    },
  ],
  body: z.object({ email: text(1_000), customerId: recordId.nullish() }),
  response: newsletterAnswer,

  async handle({ em, body, store }) {
    const email = newsletterEmail(body.email);
    const who = await findSubscribing(em, { email, customerId: body.customerId ?? undefined, store });
    await unsubscribe(em, who);
    return newsletterStateOf(em, who);
  },
});

/** The newsletter at the register (spec 4.5), its part of the one list of every route. */
export const newsletterRoutes: readonly AnyRoute[] = [getNewsletterStatus, subscribeNewsletter, unsubscribeNewsletter];
