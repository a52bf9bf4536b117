import { findCustomerCredentials } from '../../../db/platform/access/find-credentials.ts';
import { findTokenHolder } from '../../../db/platform/access/find-token-holder.ts';
import { claimReceipt } from '../../../db/receipts/claim-receipt.ts';
import { findOrderToClaim } from '../../../db/receipts/find-claimable.ts';
import { invalid, PosError } from '../../../domain/errors.ts';
import { recognise, signInRefused } from '../../http/sign-in.ts';
import { tokenIn } from '../../http/caller.ts';
import { isStorableText } from '../../../domain/storable-text.ts';
import { readForm } from '../../http/read-form.ts';
import type { ReceiptVisit, VisitAnswer } from './receipt-visit.ts';
import { countVisit } from './visit-limits.ts';

/**
 * Claims a receipt into the account that signs in on its page (spec 4.9): by e-mail and password, or with a
 * customer's token, in the header or the form. The account belongs to the website of the sale.
 *
 * A wrong password, an unknown address and an unknown token get the same answer in the same time. Guesses count
 * together with all other sign-ins of that name and address.
 */
export async function claimOnPage(visit: ReceiptVisit): Promise<VisitAnswer> {
  const { em, ctx, tokenDigest } = visit;
  const field = await readForm(ctx);
  await countVisit(em, visit, { action: 'claim' });
  try {
    const { websiteId } = await findOrderToClaim(em, tokenDigest);
    const customerId = await signedIn(visit, websiteId, {
      token: tokenIn(ctx.req.headers.authorization) ?? field('token'),
      email: field('email').trim(),
      password: field('password'),
    });
    await claimReceipt(em, { tokenDigest, customerId });
  } catch (error) {
    // A token that was replaced meanwhile opens no page either.
    if (!(error instanceof PosError) || error.status === 404) throw error;
    const view = await visit.reread();
    return { status: error.status, view, notice: { said: error.refusal, isProblem: true } };
  }
  const notice = { said: { message: 'The receipt is in your account now.' }, isProblem: false };
  return { status: 200, view: await visit.reread(), notice };
}

interface Given {
  token: string;
  email: string;
  password: string;
}

/** Longer than any e-mail, as for every sign-in. */
const mostEmail = 255;
const mostPassword = 1_024;

/** The signed-in account. Refused with: 400 an empty field · 401 unknown · 503 too many sign-ins at once. */
async function signedIn(visit: ReceiptVisit, websiteId: number, { token, email, password }: Given): Promise<number> {
  const { em, parts, now, address } = visit;
  if (token !== '') {
    const holder = await findTokenHolder(em, token, now);
    if (holder?.userType !== 'customer' || holder.websiteId !== websiteId) throw signInRefused();
    return holder.userId;
  }
  if (email === '' || password === '') throw invalid('Please enter your e-mail address and your password.');
  const isReadable = email.length <= mostEmail && password.length <= mostPassword && isStorableText(email + password);
  if (!isReadable) throw signInRefused();
  const { userId } = await recognise({
    em,
    now,
    address,
    username: email,
    password,
    passwords: parts.providers.passwords,
    userType: 'customer',
    find: () => findCustomerCredentials(em, email, websiteId),
  });
  return userId;
}
