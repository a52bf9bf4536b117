import type { EntityManager } from '@mikro-orm/postgresql';
import type { Context } from 'koa';
import { countAttempt, type Bucket } from '../../../db/support/rate-limit.ts';
import { PosError, type Refusal } from '../../../domain/errors.ts';
import { languages } from '../../../domain/languages.ts';
import { receiptPath } from '../../../domain/receipts/receipt-view-of.ts';
import type { ReceiptView } from '../../../domain/receipts/receipt-view.ts';
import type { Log } from '../../../providers/log.ts';
import { noticeText, type Reply } from '../../../providers/receipts/notice-words.ts';
import {
  receiptPagePolicy,
  renderReceiptNotice,
  renderReceiptPage,
} from '../../../providers/receipts/render-receipt.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { publicHeaders, setAll, writePage, type Headers } from '../../http/write-answer.ts';

/** The window of every limit of a receipt's page (spec 8). */
const windowSeconds = 600;
const mostRequests = 10;
const mostMailsOfAddress = 20;
const mostMailsOfReceipt = 10;

export interface Visitor {
  address: string;
  /** A receipt whose token is replaced is counted from zero. */
  tokenDigest: string;
}

/** Requests by address, receipt and action. */
const requests = ({ address, tokenDigest }: Visitor, action: VisitAction): Bucket => ({
  name: `receipt ${action} ${address} ${tokenDigest}`,
  limit: mostRequests,
  windowSeconds,
});

/** What a look at a receipt counts in; it is counted where the receipt is read. */
export const looks = (visitor: Visitor): Bucket => requests(visitor, 'view');

/** Limits of mails: for one visitor's address with any receipts, and for one receipt with any visitors. */
const mails = ({ address, tokenDigest }: Visitor): Bucket[] => [
  { name: `receipt mails of address ${address}`, limit: mostMailsOfAddress, windowSeconds },
  { name: `receipt mails of receipt ${tokenDigest}`, limit: mostMailsOfReceipt, windowSeconds },
];

/**
 * Counts a request for a receipt's action before it is carried out, exactly and for all processes together (spec 8);
 * one that asks for a mail counts as a mail too. What is refused counts nowhere.
 *
 * Refused with: 429 too many.
 */
export async function countVisit(
  em: EntityManager,
  visitor: Visitor,
  { action, isMail = false }: { action: Exclude<VisitAction, 'view'>; isMail?: boolean },
): Promise<void> {
  const buckets = [requests(visitor, action), ...(isMail ? mails(visitor) : [])];
  if (!(await countAttempt(em, buckets))) throw tooMany();
}

/** 429, in the words of spec 8. */
export const tooMany = () =>
  new PosError({ status: 429, message: 'Too many requests. Please wait some minutes and try again.' });

/** The actions of a visitor on a receipt's page; each has a separate limit (spec 8). */
type VisitAction = 'view' | 'email' | 'download' | 'claim';

/** One request for an existing receipt. */
export interface ReceiptVisit {
  parts: ApiParts;
  em: EntityManager;
  ctx: Context;
  requestId: string;
  now: Date;
  /** The visitor's address, as limits count it. */
  address: string;
  /** The key by which the receipt is found and counted. */
  tokenDigest: string;
  view: ReceiptView;
  /** The receipt's present content. */
  reread: () => Promise<ReceiptView>;
}

/** What became of an action; the receipt's language says it. */
export interface VisitNotice {
  said: Reply;
  isProblem: boolean;
}

/** The answer: the receipt with the result of an action, or a file. */
export type VisitAnswer =
  | { status: number; view: ReceiptView; notice?: VisitNotice }
  | { file: Buffer | undefined; filename: string; type: string };

/** A receipt is private: no proxy keeps it, no search engine finds it, and no link passes on its address. */
const everywhere = [
  ...publicHeaders,
  ['Content-Security-Policy', receiptPagePolicy],
  ['Cache-Control', 'no-store'],
  ['X-Robots-Tag', 'noindex, nofollow'],
] as const;
const html = ['Content-Type', 'text/html; charset=utf-8'] as const;
const rawPageHeaders = [...everywhere, html].flat();

interface Writing {
  /** Of this answer alone. */
  headers: Headers;
  log: Pick<Log, 'warn'>;
}

export function writeVisit(ctx: Context, answer: VisitAnswer, { headers, log }: Writing): void {
  if ('file' in answer) {
    setAll(ctx, everywhere);
    setAll(ctx, headers);
    ctx.status = 200;
    ctx.res.setHeader('Content-Type', answer.type);
    ctx.res.setHeader('Content-Disposition', `attachment; filename="${answer.filename}"`);
    ctx.body = answer.file ?? Buffer.alloc(0);
    return;
  }
  const { status, view, notice } = answer;
  const path = receiptPath(view.token);
  const actions = { emailUrl: `${path}/email`, downloadUrl: `${path}/pdf`, claimUrl: `${path}/claim` };
  const raw = [...rawPageHeaders, ...[...headers].flat()];
  if (status === 401) raw.push('WWW-Authenticate', 'Bearer');
  const shown = notice && { text: noticeText(view.locale, notice.said), isProblem: notice.isProblem };
  const page = renderReceiptPage(view, { actions: { ...actions, ...(shown ? { notice: shown } : {}) }, log });
  writePage(ctx, { status, raw, html: page });
}

interface Refused {
  refusal: Refusal;
  headers: Headers;
  /** Of a receipt that there may be a way back to. */
  token: string | undefined;
}

export function writeRefusalPage(ctx: Context, { refusal, headers, token }: Refused): void {
  const { status } = refusal;
  setAll(ctx, everywhere);
  setAll(ctx, headers);
  setAll(ctx, [html]);
  if (status === 429) ctx.res.setHeader('Retry-After', String(windowSeconds));
  if (status === 503) ctx.res.setHeader('Retry-After', '5');
  // The unread rest of a body must not be taken for the next request.
  if (status === 413) ctx.res.setHeader('Connection', 'close');
  const isFault = status >= 500 && status !== 503 && status !== 504;
  const shownRefusal = isFault ? { message: 'Something went wrong. Please try again.' } : refusal;
  // No receipt says in which language: the visitor's browser does.
  const language = ctx.acceptsLanguages([...languages]) || 'en';
  const hasWayBack = token !== undefined && status !== 404;
  const notice = {
    title: noticeText(language, { message: titles[status] ?? 'Sorry' }),
    text: noticeText(language, shownRefusal),
    isProblem: true,
  };
  ctx.status = status;
  if (status === 401) ctx.res.setHeader('WWW-Authenticate', 'Bearer');
  ctx.body = renderReceiptNotice({ ...notice, language, ...(hasWayBack ? { backUrl: receiptPath(token) } : {}) });
}

const titles: Readonly<Record<number, string>> = {
  404: 'Receipt not found',
  429: 'Please wait',
  503: 'Please try again later',
  504: 'That took too long',
};
