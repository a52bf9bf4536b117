import type { Middleware } from 'koa';
import { findReceiptLogo } from '../../../db/receipts/receipt-logo.repository.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { isRead, servePicture } from '../../http/serve-picture.ts';

const pattern = /^\/receipt-logo\/([0-9a-f]{64})$/;

/** The shops' logos on the public pages of receipts. A logo is named after its bytes, so it never changes and browsers may cache it. */
export const receiptLogos =
  ({ orm }: Pick<ApiParts, 'orm'>): Middleware =>
  async (ctx, next) => {
    const [, digest] = pattern.exec(ctx.state.path) ?? [];
    if (digest === undefined || !isRead(ctx)) return next();
    const content = await findReceiptLogo(orm.em.fork(), digest);
    if (!content) return next();
    servePicture(ctx, { mimeType: 'image/png', content }, 'same-origin');
  };
