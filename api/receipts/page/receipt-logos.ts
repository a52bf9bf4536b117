import type { Context } from 'koa';
import { findReceiptLogo } from '../../../db/receipts/receipt-logo.repository.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { isRead, servePicture } from '../../http/serve-picture.ts';

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
    if (digest === undefined || !isRead(ctx)) return false;
    const content = await findReceiptLogo(orm.em.fork(), digest);
    if (content) servePicture(ctx, { mimeType: 'image/png', content }, 'same-origin');
    return content !== undefined;
  };
