import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readShopSettings } from '../../db/configuration/read-shop-settings.ts';
import { findCustomerStore } from '../../db/platform/stores/find-customer-store.ts';
import { findKiosk, type Kiosk } from '../../db/self-checkout/find-kiosk.ts';
import {
  issueOneTimeCode,
  withdrawOneTimeCode,
  type NewOneTimeCode,
} from '../../db/self-checkout/issue-one-time-code.ts';
import { codeDigest, emailDigest, newOneTimeCode, sealCode } from '../../db/self-checkout/one-time-code-secrets.ts';
import type { Bucket } from '../../db/support/rate-limit.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { noSuchTerminal } from '../../db/terminals/terminal.repository.ts';
import { invalid } from '../../domain/errors.ts';
import { oneTimeCodePaths, oneTimeCodeTerms, type OneTimeCodeTerms } from '../../domain/self-checkout/one-time-code.ts';
import { isEmail } from '../../domain/staff/email-key.ts';
import { mailWorkflowId, type MailInput } from '../../workflows/mails/messages.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route, type RouteContext } from '../http/route.ts';
import { integer, payload, text, voidAnswer } from '../wire/schemas.ts';
import { disabledOutcome, terminalDisabled } from './one-time-code-words.ts';

/**
 * Mails a customer at a kiosk a one-time code (spec 4.5, 3.5).
 *
 * It never looks for the account: the code is made, counted, kept and put into the outbox for a stranger as for a
 * customer. The worker that sends the mail looks for the account. So the two cannot be told apart by status, bytes or
 * time (decisions 1 and 2). A new request voids the code before. The mail server is asked how it is for known and
 * unknown e-mails alike.
 */
export const requestOneTimeCode = route({
  method: 'POST',
  path: '/V1/pos/self-checkout/otp/request',
  acl: 'Vendor_Pos::locations',
  name: 'requestOneTimeCode',
  summary: 'Mail a kiosk customer a one-time code',
  description:
    'For a customer who types an e-mail at a kiosk. The answer is the same whether or not the e-mail has an account. ' +
    'Each request voids the code before; a repeat with the same `Idempotency-Key` does not. How long a code lives and ' +
    'how often one may be asked for is set under `vendor_pos_advanced/self_checkout/`.',
  outcomes: [
    {
      status: 400,
      message: 'Enter a valid email address.',
      when: 'What was typed is no e-mail address.',
      then: 'Let the customer type it again.',
    },
    {
      status: 400,
      message: 'Too many codes were requested. Please try again later.',
      when: 'A code was asked for moments ago, or too often within the hour with this e-mail or at this terminal.',
      then: 'Let the customer use the code that came, or wait for the cooldown. The code that came stays good.',
    },
    {
      status: 400,
      message: 'The code could not be sent. Please try again later.',
      when: 'The shop has no mail server, or it does not answer.',
      then: 'Offer the checkout without sign-in.',
    },
    disabledOutcome,
    {
      status: 404,
      message: 'Terminal with id %1 does not exist',
      when: 'There is no terminal with this id.',
      then: 'Pull the configuration of the terminal.',
    },
  ],
  examples: [
    { title: 'a customer asks', body: { request: { email: 'ada@example.com', terminalId: 3 } }, response: [] },
  ],
  commits: 'several',
  body: z.object({ request: payload({ email: text(254), terminalId: integer }) }),
  response: voidAnswer,

  async handle(request): Promise<[]> {
    const { em, body, settings, providers, workflows, operation } = request;
    const { email, terminalId } = body.request;
    const kiosk = await findKiosk(em, terminalId);
    if (!kiosk) throw noSuchTerminal(terminalId);
    if (!kiosk.isActive) throw terminalDisabled();
    if (!isEmail(email.trim())) throw invalid('Enter a valid email address.');
    if (!(await providers.mail.isReachable())) throw notSent();

    const box = secretBoxOf(settings);
    const store = await storeOf(request, kiosk);
    const shop = await readShopSettings(em, store, box, oneTimeCodePaths);
    const terms = oneTimeCodeTerms((path) => shop.text(path));
    const requestKey = operation.isNamed ? operation.key : randomUUID();
    const wish = { ...codeFor({ box, email, terms, requestKey }), terminalId, websiteId: store.websiteId };
    const code = { ...wish, buckets: bucketsOf(wish, terms) };

    await workflows.refuseWhileAway();
    const mailId = await issueOneTimeCode(em, code);
    if (mailId === undefined) throw invalid('Too many codes were requested. Please try again later.');
    await sendAtOnce({ em, workflows }, { mailId, code });
    return [];
  },
});

/** That of the terminal's place; where that belongs to no website, the one the call runs in. */
async function storeOf({ em, store }: RouteContext, kiosk: Kiosk): Promise<{ storeId: number; websiteId: number }> {
  const { isPlaced, storeId, websiteId } = kiosk;
  if (isPlaced && storeId !== null && websiteId !== null) return { storeId, websiteId };
  return findCustomerStore(em, { currentStoreId: store.storeId });
}

function codeFor(given: { box: SecretBox; email: string; terms: OneTimeCodeTerms; requestKey: string }) {
  const { box, email, terms, requestKey } = given;
  const code = newOneTimeCode(terms.length);
  return {
    emailDigest: emailDigest(box, email),
    codeDigest: codeDigest(box, { code, requestKey }),
    sealed: sealCode(box, { email: email.trim(), code }),
    requestKey,
    ttlSeconds: terms.ttlSeconds,
    mostGuesses: terms.mostGuesses,
  };
}

const hourSeconds = 3_600;

/** Windows begin with their first request (our choice). */
function bucketsOf(wish: { emailDigest: string; terminalId: number }, terms: OneTimeCodeTerms): Bucket[] {
  const email = `one-time code e-mail ${wish.emailDigest}`;
  const { cooldownSeconds, perEmailHour, perTerminalHour } = terms;
  return [
    { name: email, limit: perEmailHour, windowSeconds: hourSeconds },
    {
      name: `one-time code terminal ${wish.terminalId}`,
      limit: perTerminalHour,
      windowSeconds: hourSeconds,
    },
    ...(cooldownSeconds === 0 ? [] : [{ name: `${email} again`, limit: 1, windowSeconds: cooldownSeconds }]),
  ];
}

/** A code that cannot be sent is withdrawn, so that the customer may request another at once. */
async function sendAtOnce(
  { em, workflows }: Pick<RouteContext, 'em' | 'workflows'>,
  { mailId, code }: { mailId: number; code: NewOneTimeCode },
): Promise<void> {
  try {
    await workflows.start<MailInput>({
      workflow: 'urgentMailWorkflow',
      id: mailWorkflowId(mailId),
      input: { mailId },
      summary: `Mail ${mailId}`,
    });
  } catch (error) {
    await withdrawOneTimeCode(em, code);
    throw error;
  }
}

const notSent = () => invalid('The code could not be sent. Please try again later.');
