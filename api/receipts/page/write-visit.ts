import type { Context } from 'koa';
import type { Refusal } from '../../../domain/errors.ts';
import { receiptPath } from '../../../domain/receipts/receipt-path.ts';
import type { Log } from '../../../providers/log.ts';
import { noticeText } from '../../../providers/receipts/notice-words.ts';
import { languages } from '../../../domain/languages.ts';
import {
  receiptPagePolicy,
  renderReceiptNotice,
  renderReceiptPage,
} from '../../../providers/receipts/render-receipt.ts';
import { publicHeaders } from '../../http/security-headers.ts';
import { setAll, writePage, type Headers } from '../../http/write-answer.ts';
import type { VisitAnswer } from './receipt-visit.ts';
import { windowSeconds } from './visit-limits.ts';

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
  const said = isFault ? { message: 'Something went wrong. Please try again.' } : refusal;
  // No receipt says in which language: the visitor's browser does.
  const language = ctx.acceptsLanguages([...languages]) || 'en';
  const hasWayBack = token !== undefined && status !== 404;
  const notice = {
    title: noticeText(language, { message: titles[status] ?? 'Sorry' }),
    text: noticeText(language, said),
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
