import { z } from 'zod';
import { emailDigest, codeDigest } from '../../db/self-checkout/one-time-code-secrets.ts';
import { findAskedCode, findSummary, useOneTimeCode } from '../../db/self-checkout/use-one-time-code.ts';
import { notFound, unauthorized } from '../../domain/errors.ts';
import { secretBoxOf } from '../http/register/secret-box-of.ts';
import { route } from '../http/route.ts';
import { integer, payload, text } from '../wire/schemas.ts';
import { customerSummaryAnswer, renderCustomerSummary } from './customer-summary.ts';
import { disabledOutcome, terminalDisabled } from './one-time-code-words.ts';

/** Longer than any code: what does not fit one is a wrong guess and counts as one. */
const longestGuess = 64;

/**
 * Signs a customer in at a kiosk by the code that was mailed (spec 4.5, 3.5). No token is minted: the kiosk learns who it
 * is, and goes on with its own.
 *
 * A guess is counted before it is looked at: of a hundred at once no more are looked at than the code allows, and one
 * at most is right. A stranger's code is never mailed; a guess at it runs the same statements and gets the same answer
 * (decision 1). The code is text: `0042` and `42` are two.
 */
export const verifyOneTimeCode = route({
  method: 'POST',
  path: '/V1/pos/self-checkout/otp/verify',
  acl: 'Vendor_Pos::locations',
  name: 'verifyOneTimeCode',
  summary: 'Sign a kiosk customer in with the one-time code',
  description:
    'Works once, at the terminal that asked for the code, until the code expires or was guessed at too often. Send the ' +
    'code as text, so that leading zeros stay. No customer token is made: go on with the token of the terminal. Where ' +
    'the answer was lost, repeat with the same `Idempotency-Key`; any other repeat is 401.',
  outcomes: [
    {
      status: 401,
      message: 'The code is invalid or has expired.',
      when: 'The code is wrong, too old, used already, or was guessed at too often; or the e-mail has no account.',
      then: 'Let the customer try again a few times, then ask for a new code.',
    },
    disabledOutcome,
    {
      status: 404,
      message: 'No code was requested with this e-mail at this terminal.',
      when: 'No code was requested for this e-mail, or it was requested at another terminal.',
      then: 'Ask for a code here.',
    },
  ],
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
  body: z.object({ request: payload({ email: text(254), code: text(longestGuess), terminalId: integer }) }),
  response: customerSummaryAnswer,
  isPrivate: true,

  async handle({ em, body, settings, operation }) {
    const { email, code, terminalId } = body.request;
    const box = secretBoxOf(settings);
    const asked = await findAskedCode(em, { emailDigest: emailDigest(box, email), terminalId });
    if (asked && !asked.isActive) throw terminalDisabled();
    if (!asked || asked.codeId === null || asked.requestKey === null || asked.websiteId === null) throw notAsked();

    const { codeId, requestKey, websiteId } = asked;
    const digest = codeDigest(box, { code: code.trim(), requestKey });
    // The same request again, after a crash took its answer.
    const isOurs = operation.isNamed && asked.consumerKey === operation.key;
    if (!isOurs && !(await useOneTimeCode(em, { codeId, codeDigest: digest, consumerKey: operation.key })))
      throw wrong();
    const customer = await findSummary(em, { websiteId, email });
    if (!customer) throw wrong();
    return renderCustomerSummary(customer);
  },
});

const wrong = () => unauthorized('The code is invalid or has expired.');
const notAsked = () => notFound('No code was requested with this e-mail at this terminal.');
