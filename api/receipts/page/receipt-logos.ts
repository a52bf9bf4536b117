import type { Context } from 'koa';
import { findReceiptLogo } from '../../../db/receipts/receipt-logo.repository.ts';
import type { ApiParts } from '../../http/mount.ts';
import { isRead, servePicture } from '../../http/serve-picture.ts';

const pattern = /^\/receipt-logo\/([0-9a-f]{64})$/;

/**
 * The logos of shops, as the public pages of receipts show them. A logo is named after its bytes: what has a name once
 * never changes, so that a browser keeps it.
 *
 * @returns false for a path that names no logo we have
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
