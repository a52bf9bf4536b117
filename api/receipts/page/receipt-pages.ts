import type { Context, Middleware } from 'koa';
import { readReceiptView, readReceiptViewCounted } from '../../../db/receipts/read-receipt-view.ts';
import { receiptTokenDigest } from '../../../db/receipts/save-receipt.ts';
import { notFound, PosError } from '../../../domain/errors.ts';
import { isReceiptToken } from '../../../domain/receipts/receipt-fault.ts';
import { createClientAddress } from '../../http/client-address.ts';
import { refusalFor } from '../../wire/envelope.ts';
import { defaultTimeoutMs, inTime, type Progress } from '../../http/in-time.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { networkOf } from '../../http/network-of.ts';
import { secretBoxOf } from '../../http/register/secret-box-of.ts';
import { claimOnPage } from './claim-on-page.ts';
import { downloadReceipt } from './download-receipt.ts';
import { mailReceipt } from './mail-receipt.ts';
import type { ReceiptVisit, VisitAnswer } from './receipt-visit.ts';
import { looks, tooMany } from './visit-limits.ts';
import { writeRefusalPage, writeVisit } from './write-visit.ts';

/** The prefix of a receipt's public page and all its actions. */
export const receiptPrefix = '/receipt/';

interface Page {
  methods: readonly string[];
  answer: (asked: Asked) => Promise<VisitAnswer>;
}

/** What begins only where there is still somebody who waits, for a receipt that is there. */
const afterReading =
  (answer: (visit: ReceiptVisit) => Promise<VisitAnswer>): Page['answer'] =>
  async (asked) => {
    const visit = await visitOf(asked);
    asked.progress.begin();
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

interface Asked {
  parts: ApiParts;
  ctx: Context;
  token: string;
  requestId: string;
  address: string;
  progress: Progress;
}

/** One statement reads the receipt and counts the look. Refused with: 404 unknown token · 429 too many. */
async function showReceipt({ parts, token, address }: Asked): Promise<VisitAnswer> {
  const bucket = looks({ address, tokenDigest: receiptTokenDigest(token) });
  const view = await readReceiptViewCounted(parts.orm.em, { token, bucket }, meansOf(parts));
  if (!view) throw tooMany();
  return { status: 200, view };
}

/** Refused with: 404 unknown token. Unknown tokens are not counted, so that guesses cannot fill a table. */
async function visitOf({ parts, ctx, token, requestId, address }: Asked): Promise<ReceiptVisit> {
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
