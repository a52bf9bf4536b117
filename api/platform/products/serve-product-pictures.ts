import type { Context } from 'koa';
import { findProductPicture } from '../../../db/platform/catalog/product-pictures.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { isRead, servePicture } from '../../http/serve-picture.ts';

/** The platform's address of a product's pictures. */
const pattern = /^\/media\/catalog\/product(\/[a-z0-9_-]\/[a-z0-9_-]\/[a-z0-9_-]{1,200}\.(?:png|jpg|gif))$/;

/**
 * Serves pictures of products to everyone, because shops show them on their own pages (platform facts 9.1).
 *
 * @returns false for a path that names no existing picture
 */
export const createProductPictures =
  ({ orm }: Pick<ApiParts, 'orm'>) =>
  async (ctx: Context, path: string): Promise<boolean> => {
    const [, file] = pattern.exec(path) ?? [];
    if (file === undefined || !isRead(ctx)) return false;
    const picture = await findProductPicture(orm.em.fork(), file);
    if (picture) servePicture(ctx, picture, 'cross-origin');
    return picture !== undefined;
  };
