import type { Middleware } from 'koa';
import { findProductPicture } from '../../../db/platform/catalog/save-fixed-product-taxes.ts';
import type { ApiParts } from '../../http/api-parts.ts';
import { isRead, servePicture } from '../../http/serve-picture.ts';

/** The platform's address of a product's pictures. */
const pattern = /^\/media\/catalog\/product(\/[\w-]\/[\w-]\/[\w-]{1,200}\.(?:png|jpe?g|gif))$/i;

/** Serves pictures of products to everyone, because shops show them on their own pages (platform facts 9.1). */
export const productPictures =
  ({ orm }: Pick<ApiParts, 'orm'>): Middleware =>
  async (ctx, next) => {
    const [, file] = pattern.exec(ctx.state.path) ?? [];
    if (file === undefined || !isRead(ctx)) return next();
    const picture = await findProductPicture(orm.em.fork(), file);
    if (!picture) return next();
    // The name may belong to another picture once this one is deleted; the id never does.
    servePicture(ctx, { ...picture, tag: `"${picture.pictureId}"` }, 'cross-origin');
  };
