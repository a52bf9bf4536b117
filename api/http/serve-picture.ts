import type { Context } from 'koa';
import { publicHeaders, setAll } from './write-answer.ts';

/** Whether the request only reads, as requests for pictures do. */
export const isRead = (ctx: Context) => ctx.method === 'GET' || ctx.method === 'HEAD';

/**
 * Answers with a picture that never changes, so that a browser may keep it. Its headers forbid the browser to run
 * anything in it.
 *
 * @param pages the sites whose pages may show it
 */
export function servePicture(
  ctx: Context,
  { mimeType, content }: { mimeType: string; content: Buffer },
  pages: 'same-origin' | 'cross-origin',
): void {
  setAll(ctx, ctx.state.headers);
  setAll(ctx, publicHeaders);
  ctx.res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  ctx.res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  ctx.res.setHeader('Cross-Origin-Resource-Policy', pages);
  ctx.res.setHeader('Content-Type', mimeType);
  ctx.body = content;
}
