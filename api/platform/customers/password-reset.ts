import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import {
  askPasswordReset,
  checkResetToken,
  findResetHolder,
  resetPassword,
  wrongResetToken,
} from '../../../db/platform/customers/passwords.ts';
import { findAccountOfEmail } from '../../../db/platform/newsletter/subscribe.ts';
import { readConfigValue } from '../../../db/platform/stores/read-config-value.ts';
import { countAttempt, forgetAttempt, type Bucket } from '../../../db/support/rate-limit.ts';
import type { SecretBox } from '../../../db/support/secret-box.ts';
import { fieldRequired, invalidValue } from '../../../domain/errors.ts';
import { passwordError, resetTemplates } from '../../../domain/platform/customers.ts';
import {
  passwordTokenExpired,
  passwordTokenMismatched,
  templateNotKnown,
  tooManyPasswordResets,
} from '../../../domain/refusals/customers.ts';
import { invalidInput } from '../../../domain/refusals/platform.ts';
import { secretBoxOf } from '../../http/secret-box.ts';
import { done, route, type AnyRoute, type RouteContext } from '../../http/route.ts';
import { networkOf } from '../../http/network-of.ts';
import { idParam, recordId, text } from '../../wire/schemas.ts';
import { noSuchAccount, unknownAccount, weakPassword } from './customer-answer.ts';

/** Longer than any valid text; each has a refusal of its own. A longer password could not sign in. */
export const longest = 1_000;

/** E-mails without an account that one network may try in an hour; more would be a search for accounts. */
const mostStrangers = 10;
const hourSeconds = 3_600;

/**
 * Mails a customer the link to a new password (platform facts 8; the decision on unknown e-mails).
 *
 * A network that asks for unknown e-mails is refused after ten in an hour, in the same words for known ones. Refused
 * with: 404 unknown · 400 an unknown template, too many requests.
 */
const askForReset = (mails: AccountMails) =>
  route({
    method: 'PUT',
    path: '/V1/customers/password',
    acl: 'anonymous',
    commits: 'several',
    countsNetworks: true,
    name: 'askForPasswordReset',
    summary: 'Mail a customer the link to a new password',
    description: `The link works once, for two hours; a new one voids the former. A repeat within ten minutes is
answered true and sends
nothing. Without \`websiteId\` the website is that of the path. False: the shop has no mail server.`,
    outcomes: [unknownAccount, tooManyPasswordResets, templateNotKnown],
    examples: [{ title: 'Mailed', body: { email: 'ann@example.com', template: 'email_reset' }, response: true }],
    body: z.object({ email: text(longest), template: text(longest), websiteId: recordId.nullish() }),
    response: z.boolean(),

    async handle(context) {
      const { em, body, settings, store, providers, workflows, log } = context;
      const websiteId = body.websiteId ?? store.websiteId;
      const account = await findCounted(context, { email: body.email.trim(), websiteId });
      if (!account) throw noSuchAccount(body.email, websiteId);
      if (!resetTemplates.includes(body.template)) throw unknownTemplate(body.template);
      if (!providers.mail.isEnabled) return false;
      const box = secretBoxOf(settings);
      const mailId = await askPasswordReset(em, {
        customerId: account.id,
        post: (tx, reset) => mails.postReset(tx, { ...reset, box }),
      });
      if (mailId !== undefined) mails.sendReset(mailId, { workflows, log });
      return true;
    },
  });

/** Counted before the account is looked for, so that concurrent tries never exceed the limit. */
async function findCounted(
  { em, clientAddress, store }: RouteContext,
  key: { email: string; websiteId: number },
): Promise<{ id: number } | undefined> {
  const name = `password reset of strangers ${networkOf(clientAddress)}`;
  const buckets: Bucket[] = [{ name, limit: mostStrangers, windowSeconds: hourSeconds }];
  if (!(await countAttempt(em, buckets)))
    throw tooManyPasswordResets([(await readConfigValue(em, 'trans_email/ident_support/email', store)) ?? '']);
  const account = await findAccountOfEmail(em, key);
  if (account) await forgetAttempt(em, buckets);
  return account;
}

const unknownTemplate = (value: string) =>
  templateNotKnown({
    ...{ value, fieldName: 'template' },
    ...Object.fromEntries(resetTemplates.map((template, index) => [`template${index + 1}`, template])),
  });

/**
 * Whether a token still works; uses nothing up. An unknown customer is answered as a wrong token: nobody learns here
 * who has an account. Refused with: 400 wrong or late token.
 */
const checkResetTokenRoute = route({
  method: 'GET',
  path: '/V1/customers/:customerId/password/resetLinkToken/:resetPasswordLinkToken',
  acl: 'anonymous',
  name: 'checkPasswordResetToken',
  summary: "Whether a password's token still works",
  description: 'For the form behind the link in the mail. It uses nothing up.',
  outcomes: [passwordTokenMismatched, passwordTokenExpired],
  examples: [
    {
      title: 'It works',
      params: { customerId: 1, resetPasswordLinkToken: '4yWYCRNBUZE1pVVa5RDHPW2QjLLW7Tj7h1WMTKdMDZ0' },
      response: true,
    },
  ],
  params: z.object({ customerId: idParam, resetPasswordLinkToken: text(longest) }),
  response: z.literal(true),
  isPrivate: true,

  async handle({ em, params: { customerId, resetPasswordLinkToken } }) {
    if (customerId <= 0) throw invalidValue('customerId', customerId);
    await checkResetToken(em, { customerId, token: resetPasswordLinkToken });
    return true as const;
  },
});

/**
 * Sets a new password by the token of a mail, and ends all sessions of the account. An unknown e-mail is answered as a
 * wrong token: nobody learns here who has an account.
 *
 * Refused with: 400 wrong, used or late token, a weak password, an empty field.
 */
const resetPasswordRoute = route({
  method: 'POST',
  path: '/V1/customers/resetPassword',
  acl: 'anonymous',
  name: 'resetPassword',
  summary: 'Set a new password by the token of a mail',
  description: `The token works once. All tokens of the account end, also the lock after six wrong passwords. With an
empty \`email\` the token
alone says whose password it is. A refused password leaves the token as it is.`,
  outcomes: [passwordTokenMismatched, passwordTokenExpired, weakPassword],
  examples: [
    {
      title: 'Changed',
      body: {
        email: 'ann@example.com',
        resetToken: '4yWYCRNBUZE1pVVa5RDHPW2QjLLW7Tj7h1WMTKdMDZ0',
        newPassword: 'Roll-in-2027',
      },
      response: true,
    },
  ],
  body: z.object({ email: text(longest), resetToken: text(longest), newPassword: text(longest) }),
  response: z.literal(true),
  // Its body is never kept for later: token and password are secrets.
  isPrivate: true,

  handle: ({ em, body: { email, resetToken: token, newPassword }, providers, now }) =>
    done(resetBy({ em, providers, now }, { token, newPassword, email: email.trim() })),
});

/** The same for the page behind the mail's link. Without an e-mail the token alone counts. */
export async function resetBy(
  { em, providers, now }: Pick<RouteContext, 'em' | 'providers' | 'now'>,
  { token, newPassword, email }: { token: string; newPassword: string; email: string },
): Promise<void> {
  if (token === '') throw fieldRequired('resetPasswordLinkToken');
  const holder = await findResetHolder(em, token);
  if (email !== '' && email.toLowerCase() !== holder.email.toLowerCase()) throw wrongResetToken();
  const weakness = passwordError({ password: newPassword, email: holder.email });
  if (weakness) throw invalidInput([weakness]);
  const passwordHash = await providers.passwords.hash(newPassword, 'anonymous');
  await resetPassword(em, { customerId: holder.customerId, token, passwordHash, now });
}

/** A forgotten password (platform facts 8). */
export const passwordResetRoutes = (mails: AccountMails): readonly AnyRoute[] => [
  askForReset(mails),
  checkResetTokenRoute,
  resetPasswordRoute,
];

type Context = Pick<RouteContext, 'workflows' | 'log'>;

/** How an account is written to: the platform only knows these hooks. Each post is in the caller's transaction. */
export interface AccountMails {
  /** The mail with the link to a new password; returns what is sent after the commit. */
  postReset(em: EntityManager, reset: { customerId: number; token: string; box: SecretBox }): Promise<number>;
  /** The mail that asks to confirm the e-mail; undefined: it is on its way already. */
  postConfirmation(em: EntityManager, customerId: number): Promise<number | undefined>;
  /** After the commit; the route does not wait for it. A customer waits for a reset's mail. */
  sendReset(mailId: number, context: Context): void;
  sendConfirmation(mailId: number, facts: Context): void;
}
