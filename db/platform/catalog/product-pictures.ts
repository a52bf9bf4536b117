import type { EntityManager } from '@mikro-orm/postgresql';
import { bytes, integer, surely, text } from '../../support/kinds.ts';
import { of } from '../../support/rows.ts';
import { statement } from '../../support/statement.ts';
import { ProductPicture } from './product-picture.entity.ts';

/** A picture to keep, with the name its owner gave it. */
export interface PictureToKeep {
  name: string;
  mimeType: string;
  content: Buffer;
  /** The digest of the content, as hexadecimal text. */
  digest: string;
}

/** A picture as it is served. */
export const findProductPicture = (em: EntityManager, file: string) => find.first(em, { file });

const find = statement({
  takes: { file: text },
  gives: { ...of(ProductPicture, 'mimeType'), content: bytes },
  text: 'select mime_type, content from product_picture where file = $file',
});

/** Keeps a picture of a product in a new file. Each call keeps another one. */
export async function keepPicture(em: EntityManager, productId: number, picture: PictureToKeep) {
  const drawn = await draw.first(em);
  if (!drawn) throw new Error('no id for a picture');
  const { pictureId } = drawn;
  const file = fileOf(picture, pictureId);
  const { mimeType, content } = picture;
  await keep.run(em, { pictureId, productId, file, mimeType, content });
  return { pictureId, file };
}

const draw = statement({
  takes: {},
  gives: { pictureId: surely(integer) },
  text: `select nextval('product_picture_picture_id_seq')::int as picture_id`,
});

const keep = statement({
  takes: { pictureId: integer, productId: integer, file: text, mimeType: text, content: bytes },
  text: `
    insert into product_picture (picture_id, product_id, file, mime_type, content)
    values ($pictureId, $productId, $file, $mimeType, $content)`,
});

/** Deletes a picture. A repeat finds none. */
export const dropPicture = (em: EntityManager, file: string) => drop.run(em, { file });

const drop = statement({ takes: { file: text }, text: 'delete from product_picture where file = $file' });

const extensions: Readonly<Record<string, string>> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif' };

/** The longest part of a name that is kept. */
const mostOfName = 80;

/** A file's path has folders of its first two letters, as on the platform: `/m/u/mug_17_0a1b2c3d.jpg`. */
function fileOf({ name, mimeType, digest }: PictureToKeep, id: number): string {
  const stem = name
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '_')
    .slice(0, mostOfName);
  const known = stem === '' ? 'picture' : stem;
  const [first = '_', second = '_'] = known;
  return `/${first}/${second}/${known}_${id}_${digest.slice(0, 8)}.${extensions[mimeType] ?? 'bin'}`;
}
