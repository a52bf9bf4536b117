import type { Context } from 'koa';
import { htmlPage, type Page } from './html-page.ts';
import { formHeaders } from './security-headers.ts';
import { setAll } from './write-answer.ts';

/** Answers with a page behind the link of a mail: it may not be stored, framed or indexed. */
export function writePage(ctx: Context, page: Page, status: number): void {
  setAll(ctx, ctx.state.headers);
  setAll(ctx, formHeaders);
  ctx.status = status;
  ctx.res.setHeader('Content-Type', 'text/html; charset=utf-8');
  ctx.body = htmlPage(page);
}
