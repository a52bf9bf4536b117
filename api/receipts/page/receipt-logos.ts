import type { Context } from 'koa';
import { findReceiptLogo } from '../../../db/receipts/receipt-logo.repository.ts';
import type { ApiParts } from '../../http/mount.ts';
import { publicHeaders } from '../../http/security-headers.ts';
import { setAll } from '../../http/write-answer.ts';

const pattern = /^\/receipt-logo\/([0-9a-f]{64})$/;

/**
 * The shops' logos on the public pages of receipts. A logo is named after its bytes, so it never changes and browsers
 * may cache it.
 *
 * @returns false for a path that is not a logo of ours
 */
export const createReceiptLogos =
  ({ orm }: Pick<ApiParts, 'orm'>) =>
  async (ctx: Context, path: string): Promise<boolean> => {
    const [, digest] = pattern.exec(path) ?? [];
    if (digest === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false;
    const logo = await findReceiptLogo(orm.em.fork(), digest);
    if (!logo) return false;
    setAll(ctx, publicHeaders);
    ctx.res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    ctx.res.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    ctx.res.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    ctx.res.setHeader('Content-Type', 'image/png');
    ctx.body = logo;
    return true;
  };
