import { randomUUID } from 'node:crypto';
import type { Context } from 'koa';
import { readReceiptView } from '../../../db/receipts/read-receipt-view.ts';
import { receiptTokenDigest } from '../../../db/receipts/save-receipt.ts';
import { notFound, PosError } from '../../../domain/errors.ts';
import { isReceiptToken } from '../../../domain/receipts/receipt-fault.ts';
import { createClientAddress } from '../../http/client-address.ts';
import { refusalFor } from '../../wire/envelope.ts';
import { inTime } from '../../http/in-time.ts';
import type { ApiParts } from '../../http/mount.ts';
import { networkOf } from '../../http/network-of.ts';
import { secretBoxOf } from '../../http/register/secret-box-of.ts';
import { claimOnPage } from './claim-on-page.ts';
import { downloadReceipt } from './download-receipt.ts';
import { mailReceipt } from './mail-receipt.ts';
import type { ReceiptVisit, VisitAnswer } from './receipt-visit.ts';
import { countVisit } from './visit-limits.ts';
import { writeRefusalPage, writeVisit } from './write-visit.ts';

/** The prefix of a receipt's public page and all its actions. */
export const receiptPrefix = '/receipt/';

interface Page {
  methods: readonly string[];
  answer: (visit: ReceiptVisit) => Promise<VisitAnswer>;
}

/** By the path after the token. */
const pages: Readonly<Record<string, Page>> = {
  '': { methods: ['GET', 'HEAD'], answer: showReceipt },
  '/email': { methods: ['POST'], answer: mailReceipt },
  '/pdf': { methods: ['GET', 'HEAD'], answer: downloadReceipt },
  '/claim': { methods: ['POST'], answer: claimOnPage },
};

/** A visitor does not wait longer. */
const defaultTimeoutMs = 60_000;

/**
 * The public pages of receipts, for anyone with a receipt's token (spec 4.9): view, e-mail, download, claim. They
 * work without scripts. Every answer, even a refusal, is a page and forbids passing its address on.
 *
 * Refused with: 404 unknown token or page · 405 another method · 413 a large form · 429 too many, per section 8 ·
 * 503.
 */
export function createReceiptPages(parts: ApiParts): (ctx: Context, path: string, requestId?: string) => Promise<void> {
  const addressOf = createClientAddress(parts.settings.TRUSTED_PROXIES);
  const timeoutMs = parts.requestTimeoutMs ?? defaultTimeoutMs;

  return async (ctx, path, requestId = randomUUID()) => {
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
        const visit = await visitOf(parts, { ctx, token, requestId, address });
        progress.begin();
        return page.answer(visit);
      }, timeoutMs);
      writeVisit(ctx, answer, parts.log);
    } catch (thrown) {
      // The token is a secret and never appears in the log.
      const facts = { requestId, method: ctx.method, path: `${receiptPrefix}:token` };
      const isKnown = page !== undefined && isReceiptToken(token);
      writeRefusalPage(ctx, refusalFor(thrown, parts.log, facts), isKnown ? token : undefined);
    }
  };
}

const pattern = /^\/receipt\/([^/]*)(\/[a-z]+)?\/?$/;

function pageOf(path: string): { token: string; page: Page | undefined } {
  const [, token = '', action = ''] = pattern.exec(path) ?? [];
  return { token, page: token !== '' && Object.hasOwn(pages, action) ? pages[action] : undefined };
}

const notThere = () => notFound('This receipt is not here.');

async function showReceipt(visit: ReceiptVisit): Promise<VisitAnswer> {
  await countVisit(visit.em, visit, { action: 'view' });
  return { status: 200, view: visit.view };
}

interface Asking {
  ctx: Context;
  token: string;
  requestId: string;
  address: string;
}

/** Refused with: 404 unknown token. Only existing receipts are counted, so that guesses fill no table. */
async function visitOf(parts: ApiParts, { ctx, token, requestId, address }: Asking): Promise<ReceiptVisit> {
  const em = parts.orm.em.fork();
  const means = { box: secretBoxOf(parts.settings), publicBaseUrl: parts.settings.PUBLIC_BASE_URL };
  const reread = () => readReceiptView(em, { token }, means);
  return {
    parts,
    em,
    requestId,
    address,
    reread,
    incoming: ctx.req,
    now: parts.clock(),
    tokenDigest: receiptTokenDigest(token),
    view: await reread(),
  };
}
