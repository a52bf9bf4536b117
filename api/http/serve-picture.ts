import type { Context } from 'koa';
import { hasTag } from './entity-tag.ts';
import { publicHeaders, setAll } from './write-answer.ts';

/** Whether the request only reads, as requests for pictures do. */
export const isRead = (ctx: Context) => ctx.method === 'GET' || ctx.method === 'HEAD';

/**
 * Answers with a picture, and 304 where the browser has it. Its headers forbid the browser to run anything in it.
 *
 * @param picture `tag`: the picture's `ETag`, where its address may belong to another picture one day: a browser then
 *   asks again after five minutes. Absent: the address belongs to this picture for good.
 * @param pages the sites whose pages may show it
 */
export function servePicture(
  ctx: Context,
  { mimeType, content, tag }: { mimeType: string; content: Buffer; tag?: string },
  pages: 'same-origin' | 'cross-origin',
): void {
  setAll(ctx, ctx.state.headers);
  setAll(ctx, publicHeaders);
  ctx.res.setHeader('Cache-Control', tag === undefined ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
  ctx.res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  ctx.res.setHeader('Cross-Origin-Resource-Policy', pages);
  if (tag !== undefined) {
    ctx.res.setHeader('ETag', tag);
    if (hasTag(ctx.get('If-None-Match'), tag)) {
      ctx.status = 304;
      return;
    }
  }
  ctx.res.setHeader('Content-Type', mimeType);
  ctx.body = content;
}
