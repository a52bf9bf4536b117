import type { Context } from 'koa';
import { publicHeaders } from './security-headers.ts';
import { setAll } from './write-answer.ts';

/** What a path that names a picture is asked with. */
export const isRead = (ctx: Context) => ctx.method === 'GET' || ctx.method === 'HEAD';

/**
 * Answers with a picture that never changes, so that a browser keeps it. Nothing in it is run, whatever it is.
 *
 * @param pages whose pages may show it
 */
export function servePicture(
  ctx: Context,
  { mimeType, content }: { mimeType: string; content: Buffer },
  pages: 'same-origin' | 'cross-origin',
): void {
  setAll(ctx, publicHeaders);
  ctx.res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  ctx.res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  ctx.res.setHeader('Cross-Origin-Resource-Policy', pages);
  ctx.res.setHeader('Content-Type', mimeType);
  ctx.body = content;
}
