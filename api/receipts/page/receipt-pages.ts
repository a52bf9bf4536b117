import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context, Middleware } from 'koa';
import { findTokenHolder } from '../../../db/platform/access/find-token-holder.ts';
import { findCustomerCredentials } from '../../../db/platform/access/throttle-token-request.ts';
import { claimReceipt, findOrderToClaim } from '../../../db/receipts/claim-receipt.ts';
import { readReceiptView, readReceiptViewCounted } from '../../../db/receipts/read-receipt-view.ts';
import { findReceiptLogo } from '../../../db/receipts/receipt-logo.repository.ts';
import { findReceiptPdf } from '../../../db/receipts/receipt-pdf.repository.ts';
import { receiptTokenDigest } from '../../../db/receipts/save-receipt.ts';
import { invalid, notFound, PosError, unavailable } from '../../../domain/errors.ts';
import { isOneAddress } from '../../../domain/mails/letters.ts';
import { answerWithinMs } from '../../../domain/patience.ts';
import { isReceiptToken, type PdfOutcome, type ReceiptView } from '../../../domain/receipts/receipt-view.ts';
import { isStorableText } from '../../../domain/storable-text.ts';
import type { Reply } from '../../../providers/receipts/notice-words.ts';
import { receiptDigest, receiptFilename } from '../../../providers/receipts/render-receipt.ts';
import type { Workflows } from '../../../providers/temporal/workflows.ts';
import { pdfUpdate, receiptPdfWorkflowId, type ReceiptPdfInput } from '../../../workflows/messages.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { createClientAddress } from '../../http/client-address.ts';
import { defaultTimeoutMs, inTime, type Progress } from '../../http/in-time.ts';
import { readForm } from '../../http/read-form.ts';
import { secretBoxOf } from '../../http/secret-box.ts';
import { tokenIn } from '../../http/route-context.ts';
import { isRead, servePicture } from '../../http/serve-picture.ts';
import { recognise, signInRefused } from '../../http/sign-in.ts';
import { networkOf } from '../../http/network-of.ts';
import { refusalFor } from '../../wire/envelope.ts';
import { sendReceiptMail } from '../email-receipt.ts';
import {
  countVisit,
  looks,
  tooMany,
  writeRefusalPage,
  writeVisit,
  type ReceiptVisit,
  type VisitAnswer,
} from './visit-limits.ts';

/**
 * Claims a receipt into the account that signs in on its page (spec 4.9): by e-mail and password, or with a
 * customer's token, in the header or the form. The account belongs to the website of the sale.
 *
 * A wrong password, an unknown address and an unknown token get the same answer in the same time. Guesses count
 * together with all other sign-ins of that name and address.
 */
async function claimOnPage(visit: ReceiptVisit): Promise<VisitAnswer> {
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

interface Input {
  token: string;
  email: string;
  password: string;
}

/** Longer than any e-mail, as for every sign-in. */
const mostEmail = 255;
const mostPassword = 1_024;

/** The signed-in account. Refused with: 400 an empty field · 401 unknown · 503 too many sign-ins at once. */
async function signedIn(visit: ReceiptVisit, websiteId: number, { token, email, password }: Input): Promise<number> {
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
    entryPoint: 'receipt',
    find: () => findCustomerCredentials(em, email, websiteId),
  });
  return userId;
}

export interface MadePdf {
  content: Buffer;
  filename: string;
}

/**
 * The PDF of a receipt's present content: the existing one, otherwise one that the worker makes meanwhile. A repeat
 * finds it made.
 *
 * Refused with: 503 where no worker has a browser, or the receipt is too large for a PDF, or it is not made in time.
 */
export async function makeReceiptPdf(
  { em, workflows, requestId }: { em: EntityManager; workflows: Workflows; requestId: string },
  view: ReceiptView,
): Promise<MadePdf> {
  const { receiptId } = view;
  const requested = { receiptId, digest: receiptDigest(view) };
  const filename = receiptFilename(view);
  const stored = await findReceiptPdf(em, requested);
  if (stored) return { content: stored, filename };
  const outcome = await workflows.ask<PdfOutcome, object, ReceiptPdfInput>({
    update: pdfUpdate,
    workflow: 'receiptPdfWorkflow',
    id: receiptPdfWorkflowId(receiptId),
    input: { receiptId },
    request: {},
    operationKey: requestId,
    summary: `PDF of receipt ${receiptId}`,
    patienceMs: answerWithinMs,
  });
  const made = outcome === 'made' ? await findReceiptPdf(em, requested) : undefined;
  if (!made) throw unavailable(outcome === 'made' ? changed : sentences[outcome]);
  return { content: made, filename };
}

const changed = 'The receipt has just changed; ask for its PDF again.';
const sentences: Readonly<Record<Exclude<PdfOutcome, 'made'>, string>> = {
  no_browser: 'This shop makes no PDFs at the moment; the receipt itself is on its page.',
  too_much: 'This receipt is too large for a PDF; all of it is on its page.',
};

/** The receipt's PDF. A `HEAD` request makes none. Refused as `makeReceiptPdf`. */
async function downloadReceipt(visit: ReceiptVisit): Promise<VisitAnswer> {
  const { parts, em, ctx, requestId, view } = visit;
  await countVisit(em, visit, { action: 'download' });
  const type = 'application/pdf';
  if (ctx.method === 'HEAD') return { file: undefined, filename: receiptFilename(view), type };
  const { content, filename } = await makeReceiptPdf({ em, workflows: parts.workflows, requestId }, view);
  return { file: content, filename, type };
}

/**
 * Mails a receipt to the address in the form, and shows the result on the page.
 *
 * An invalid address counts as a request, not as a mail. A failed mail counts as one, because it used the mail
 * server.
 */
async function mailReceipt(visit: ReceiptVisit): Promise<VisitAnswer> {
  const { parts, em, ctx, requestId, view } = visit;
  const to = (await readForm(ctx))('email').trim();
  const isMail = isOneAddress(to);
  await countVisit(em, visit, { action: 'email', isMail });
  if (!isMail) return problem(visit, 400, { message: 'Please enter one e-mail address, such as name@example.com.' });
  const { workflows, settings } = parts;
  try {
    const became = await sendReceiptMail({ em, workflows, settings, requestId, receiptId: view.receiptId, to });
    return { status: 200, view, notice: { said: { message: reply[became], parameters: [to] }, isProblem: false } };
  } catch (error) {
    if (!(error instanceof PosError)) throw error;
    return problem(visit, error.status, error.refusal);
  }
}

/** A visitor who sees an error tries again; a mail in progress needs no second request. */
const reply = {
  sent: 'The receipt was sent to %1.',
  on_its_way: 'The receipt is on its way to %1. It arrives within minutes.',
} as const;

const problem = ({ view }: ReceiptVisit, status: number, sentence: Reply): VisitAnswer => ({
  status,
  view,
  notice: { said: sentence, isProblem: true },
});

/** The prefix of a receipt's public page and all its actions. */
export const receiptPrefix = '/receipt/';

interface Page {
  methods: readonly string[];
  answer: (requested: Asking) => Promise<VisitAnswer>;
}

/** What begins only where there is still somebody who waits, for a receipt that is there. */
const afterReading =
  (answer: (visit: ReceiptVisit) => Promise<VisitAnswer>): Page['answer'] =>
  async (request) => {
    const visit = await visitOf(request);
    request.progress.begin();
    return answer(visit);
  };

/** By what follows the token. */
const pages: Readonly<Record<string, Page>> = {
  '': { methods: ['GET', 'HEAD'], answer: showReceipt },
  '/email': { methods: ['POST'], answer: afterReading(mailReceipt) },
  '/pdf': { methods: ['GET', 'HEAD'], answer: afterReading(downloadReceipt) },
  '/claim': { methods: ['POST'], answer: afterReading(claimOnPage) },
};

/**
 * The public pages of receipts, for anyone with a receipt's token (spec 4.9): view, e-mail, download, claim. They
 * work without scripts. Every answer, even a refusal, is a page and forbids passing its address on.
 *
 * Refused with: 404 unknown token or page · 405 another method · 413 a large form · 429 too many, per section 8 ·
 * 503.
 */
export function receiptPages(parts: ApiParts): Middleware {
  const addressOf = createClientAddress(parts.settings.TRUSTED_PROXIES);
  const timeoutMs = parts.requestTimeoutMs ?? defaultTimeoutMs;

  return async (ctx, next) => {
    const { path, requestId, headers } = ctx.state;
    if (!path.startsWith(receiptPrefix)) return next();
    const { token, page } = pageOf(path);
    try {
      const answer = await inTime(async (progress) => {
        if (!page || !isReceiptToken(token)) throw notThere();
        if (!page.methods.includes(ctx.method)) {
          ctx.res.setHeader('Allow', page.methods.join(', '));
          throw new PosError({ status: 405, message: 'This page cannot be asked for in that way.' });
        }
        const forwardedFor = ctx.get('x-forwarded-for') || undefined;
        const address = networkOf(addressOf(ctx.req.socket.remoteAddress ?? '', forwardedFor));
        return page.answer({ parts, ctx, token, requestId, address, progress });
      }, timeoutMs);
      writeVisit(ctx, answer, { headers, log: parts.log });
    } catch (thrown) {
      // The token is a secret and never appears in the log.
      const facts = { requestId, method: ctx.method, path: `${receiptPrefix}:token` };
      const isKnown = page !== undefined && isReceiptToken(token);
      const refusal = refusalFor(thrown, parts.log, facts);
      writeRefusalPage(ctx, { refusal, headers, token: isKnown ? token : undefined });
    }
  };
}

const pattern = /^\/receipt\/([^/]*)(\/[a-z]+)?\/?$/;

function pageOf(path: string): { token: string; page: Page | undefined } {
  const [, token = '', action = ''] = pattern.exec(path) ?? [];
  return { token, page: token !== '' && Object.hasOwn(pages, action) ? pages[action] : undefined };
}

const notThere = () => notFound('This receipt is not here.');

interface Asking {
  parts: ApiParts;
  ctx: Context;
  token: string;
  requestId: string;
  address: string;
  progress: Progress;
}

/** One statement reads the receipt and counts the look. Refused with: 404 unknown token · 429 too many. */
async function showReceipt({ parts, token, address }: Asking): Promise<VisitAnswer> {
  const bucket = looks({ address, tokenDigest: receiptTokenDigest(token) });
  const view = await readReceiptViewCounted(parts.orm.em, { token, bucket }, meansOf(parts));
  if (!view) throw tooMany();
  return { status: 200, view };
}

/** Refused with: 404 unknown token. Unknown tokens are not counted, so that guesses cannot fill a table. */
async function visitOf({ parts, ctx, token, requestId, address }: Asking): Promise<ReceiptVisit> {
  const em = parts.orm.em.fork();
  const reread = () => readReceiptView(em, { token }, meansOf(parts));
  return {
    parts,
    em,
    requestId,
    address,
    reread,
    ctx,
    now: parts.clock(),
    tokenDigest: receiptTokenDigest(token),
    view: await reread(),
  };
}

const meansOf = ({ settings }: ApiParts) => ({
  box: secretBoxOf(settings),
  publicBaseUrl: settings.PUBLIC_BASE_URL,
});

const receiptLogosPattern = /^\/receipt-logo\/([0-9a-f]{64})$/;

/**
 * The shops' logos on the public pages of receipts. A logo is named after its bytes, so it never changes and browsers
 * may cache it.
 */
export const receiptLogos =
  ({ orm }: Pick<ApiParts, 'orm'>): Middleware =>
  async (ctx, next) => {
    const [, digest] = receiptLogosPattern.exec(ctx.state.path) ?? [];
    if (digest === undefined || !isRead(ctx)) return next();
    const content = await findReceiptLogo(orm.em.fork(), digest);
    if (!content) return next();
    servePicture(ctx, { mimeType: 'image/png', content }, 'same-origin');
  };
