import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { readShopSettings } from '../../db/configuration/read-shop-settings.ts';
import { findCustomerStore } from '../../db/platform/stores/find-customer-store.ts';
import {
  findRequestedCode,
  findKiosk,
  findSummary,
  issueOneTimeCode,
  useOneTimeCode,
  withdrawOneTimeCode,
  type Kiosk,
  type NewOneTimeCode,
} from '../../db/self-checkout.ts';
import { codeDigest, emailDigest, newOneTimeCode, sealCode } from '../../db/self-checkout/one-time-code-secrets.ts';
import type { Bucket } from '../../db/support/rate-limit.ts';
import type { SecretBox } from '../../db/support/secret-box.ts';
import { noSuchTerminal } from '../../db/terminals/terminal.repository.ts';
import { emailNotValid } from '../../domain/refusals/customers.ts';
import {
  codeNotSent,
  codeNotValid,
  noCodeRequested,
  terminalIsDisabled,
  terminalNotFound,
  tooManyCodes,
} from '../../domain/refusals/register.ts';
import { oneTimeCodePaths, oneTimeCodeTerms, type OneTimeCodeTerms } from '../../domain/self-checkout.ts';
import { isEmail } from '../../domain/staff.ts';
import { mailWorkflowId, type MailInput } from '../../workflows/messages.ts';
import { secretBoxOf } from '../http/secret-box.ts';
import { route, type AnyRoute, type Outcome, type RouteContext } from '../http/route.ts';
import { fieldsOf, named } from '../wire/fields.ts';
import { payload, recordId, text, voidAnswer } from '../wire/schemas.ts';

const disabledOutcome: Outcome = terminalIsDisabled.because(
  'The terminal was switched off by an administrator.',
  'Show that the kiosk is closed; ask the heartbeat why.',
);

/**
 * Mails a customer at a kiosk a one-time code (spec 4.5, 3.5).
 *
 * It never looks for the account: the code is made, counted, kept and put into the outbox for a stranger as for a
 * customer. The worker that sends the mail looks for the account. So the two cannot be told apart by status, bytes or
 * time (decisions 1 and 2). A new request voids the code before. The mail server is asked how it is for known and
 * unknown e-mails alike.
 */
const requestOneTimeCode = route({
  method: 'POST',
  path: '/V1/pos/self-checkout/otp/request',
  acl: 'Vendor_Pos::locations',
  name: 'requestOneTimeCode',
  summary: 'Mail a kiosk customer a one-time code',
  description:
    'For a customer who types an e-mail at a kiosk. The answer is the same whether or not the e-mail has an ' +
    'account. Each request voids the code before; a repeat with the same `Idempotency-Key` does not. How long a ' +
    'code lives and how often one may be asked for is set under `vendor_pos_advanced/self_checkout/`.',
  outcomes: [
    emailNotValid.because('What was typed is no e-mail address.', 'Let the customer type it again.'),
    tooManyCodes,
    codeNotSent,
    disabledOutcome,
    terminalNotFound.because('There is no terminal with this id.', 'Pull the configuration of the terminal.'),
  ],
  examples: [
    { title: 'a customer asks', body: { request: { email: 'ada@example.com', terminalId: 3 } }, response: [] },
  ],
  commits: 'several',
  body: z.object({ request: payload({ email: text(254), terminalId: recordId }) }),
  response: voidAnswer,

  async handle(request): Promise<[]> {
    const { em, body, settings, providers, workflows, operation } = request;
    const { email, terminalId } = body.request;
    const kiosk = await findKiosk(em, terminalId);
    if (!kiosk) throw noSuchTerminal(terminalId);
    if (!kiosk.isActive) throw terminalIsDisabled();
    if (!isEmail(email.trim())) throw emailNotValid();
    if (!(await providers.mail.isReachable())) throw codeNotSent();

    const box = secretBoxOf(settings);
    const store = await storeOf(request, kiosk);
    const shop = await readShopSettings(em, store, box, oneTimeCodePaths);
    const terms = oneTimeCodeTerms((path) => shop.text(path));
    const requestKey = operation.isNamed ? operation.key : randomUUID();
    const input = { ...codeFor({ box, email, terms, requestKey }), terminalId, websiteId: store.websiteId };
    const code = { ...input, buckets: bucketsOf(input, terms) };

    await workflows.refuseWhileAway();
    const mailId = await issueOneTimeCode(em, code);
    if (mailId === undefined) throw tooManyCodes();
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

function codeFor(input: { box: SecretBox; email: string; terms: OneTimeCodeTerms; requestKey: string }) {
  const { box, email, terms, requestKey } = input;
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
function bucketsOf(input: { emailDigest: string; terminalId: number }, terms: OneTimeCodeTerms): Bucket[] {
  const email = `one-time code e-mail ${input.emailDigest}`;
  const { cooldownSeconds, perEmailHour, perTerminalHour } = terms;
  return [
    { name: email, limit: perEmailHour, windowSeconds: hourSeconds },
    {
      name: `one-time code terminal ${input.terminalId}`,
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

/** What a terminal may know of a customer without further rights (spec 2.9). */
const { answer: customerSummaryAnswer, render: renderCustomerSummary } = fieldsOf(
  {
    customer_id: named('id', z.int()),
    email: z.string(),
    firstname: z.string(),
    lastname: z.string(),
    group_id: z.int(),
    website_id: z.int(),
    company: z.string().nullable(),
    taxvat: z.string().nullable(),
    default_billing_address_id: named('defaultBilling', z.int().nullable()),
  },
  'CustomerSummary',
);

/** Longer than any code: what does not fit one is a wrong guess and counts as one. */
const longestGuess = 64;

/**
 * Signs a customer in at a kiosk by the code that was mailed (spec 4.5, 3.5). No token is minted: the kiosk learns who
 * it is, and goes on with its own.
 *
 * A guess is counted before it is looked at: of a hundred at once no more are looked at than the code allows, and one
 * at most is right. A stranger's code is never mailed; a guess at it runs the same statements and gets the same answer
 * (decision 1). The code is text: `0042` and `42` are two.
 */
const verifyOneTimeCode = route({
  method: 'POST',
  path: '/V1/pos/self-checkout/otp/verify',
  acl: 'Vendor_Pos::locations',
  name: 'verifyOneTimeCode',
  summary: 'Sign a kiosk customer in with the one-time code',
  description:
    'Works once, at the terminal that asked for the code, until the code expires or was guessed at too often. ' +
    'Send the code as text, so that leading zeros stay. No customer token is made: go on with the token of the ' +
    'terminal. Where the answer was lost, repeat with the same `Idempotency-Key`; any other repeat is 401.',
  outcomes: [codeNotValid, disabledOutcome, noCodeRequested],
  examples: [
    {
      title: 'the right code',
      body: { request: { email: 'ada@example.com', code: '004217', terminalId: 3 } },
      response: {
        customer_id: 1,
        email: 'ada@example.com',
        firstname: 'Ada',
        lastname: 'Lovelace',
        group_id: 1,
        website_id: 1,
        company: null,
        taxvat: null,
        default_billing_address_id: 5,
      },
    },
  ],
  // A wrong guess stays counted although it is refused.
  commits: 'several',
  body: z.object({ request: payload({ email: text(254), code: text(longestGuess), terminalId: recordId }) }),
  response: customerSummaryAnswer,
  isPrivate: true,

  async handle({ em, body, settings, operation }) {
    const { email, code, terminalId } = body.request;
    const box = secretBoxOf(settings);
    const request = await findRequestedCode(em, { emailDigest: emailDigest(box, email), terminalId });
    if (request && !request.isActive) throw terminalIsDisabled();
    if (!request || request.codeId === null || request.requestKey === null || request.websiteId === null)
      throw noCodeRequested();

    const { codeId, requestKey, websiteId } = request;
    const digest = codeDigest(box, { code: code.trim(), requestKey });
    // The same request again, after a crash took its answer.
    const isOurs = operation.isNamed && request.consumerKey === operation.key;
    if (!isOurs && !(await useOneTimeCode(em, { codeId, codeDigest: digest, consumerKey: operation.key })))
      throw codeNotValid();
    const customer = await findSummary(em, { websiteId, email });
    if (!customer) throw codeNotValid();
    return renderCustomerSummary(customer);
  },
});

/** Sign-in at a kiosk (spec 3.5, 4.5), its part of the one list of every route. */
export const oneTimeCodeRoutes: readonly AnyRoute[] = [requestOneTimeCode, verifyOneTimeCode];
