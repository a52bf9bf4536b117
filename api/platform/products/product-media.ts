import { z } from 'zod';
import type { MediaDraft } from '../../../db/platform/catalog/attributes.ts';
import { findProduct } from '../../../db/platform/catalog/find-product.ts';
import { productAt } from '../../../db/platform/catalog/read-products.ts';
import type { PictureToKeep } from '../../../db/platform/catalog/save-fixed-product-taxes.ts';
import {
  addMedia,
  changeMedia,
  noSuchImage,
  removeMedia,
  shownElsewhere,
} from '../../../db/platform/catalog/product-media.ts';
import { notFound } from '../../../domain/errors.ts';
import { imageContentNotValid, imageNameForbidden, imageTypeNotSupported } from '../../../domain/refusals/catalog.ts';
import { imageNotBase64, pictureTooHeavy, pictureTooWide } from '../../../domain/refusals/content.ts';
import { tooManyItems } from '../../../domain/refusals/platform.ts';
import { drawPicture, mostPictureBytes, notPicture, pixelsOfOneCall } from '../../../providers/platform.ts';
import { route, type AnyRoute, type Outcome } from '../../http/route.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { inSnakeCase } from '../../wire/rows.ts';
import { readId } from '../../wire/criteria.ts';
import { flag, idParam, integer, payload, text } from '../../wire/schemas.ts';
import { unknownProduct } from './product-websites.ts';
import { mediaAnswer, renderMedia } from './render-product.ts';

/** Base64 has four characters for three bytes, and line breaks. */
const mostBase64 = Math.ceil((mostPictureBytes * 4) / 3 / 76) * 78;

/** The size of a body with the largest picture and its other fields. */
export const largestPictureBody = mostBase64 + 65_536;

/** New pictures of one call; a gallery of more is sent in several. */
const mostNewPictures = 10;

const mostTypes = 16;
const forbiddenInNames = /[\\/?*:";<>()|{}]/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

const mediaPayloadContent = payload({
  base64EncodedData: text(mostBase64),
  type: text(64),
  name: text(255),
});

/** A gallery entry as a caller sends it (platform facts 9.1). Only the server names its file. */
export const mediaPayload = payload({
  id: idParam.nullish(),
  mediaType: text(32).nullish(),
  label: text(255).nullish(),
  position: integer.nullish(),
  disabled: flag.nullish(),
  types: z.array(text(64)).max(mostTypes).nullish(),
  file: z.unknown().optional(),
  content: mediaPayloadContent.nullish(),
  extensionAttributes: payload({
    videoContent: z.record(z.string(), z.unknown()).nullish(),
  }).nullish(),
});

/**
 * Makes the catalog's types of all entries of a call. Refused as one is, and with 400: more new pictures than a call
 * may have.
 */
export async function toMediaDrafts(entries: readonly z.output<typeof mediaPayload>[]): Promise<MediaDraft[]> {
  const added = entries.filter(({ content: sent }) => sent).length;
  if (added > mostNewPictures) throw tooManyItems({ type: 'newPicture', max: mostNewPictures });
  const budget = pixelsOfOneCall();
  const drafts: MediaDraft[] = [];
  for (const entry of entries) drafts.push(await draftOf(entry, budget));
  return drafts;
}

/**
 * Makes the catalog's type of a sent entry, and draws its picture anew.
 *
 * Refused with 400: a file that is no picture, a picture of another type than it names, a name with characters that no
 * file may have · 503: too many pictures are being drawn.
 */
const toMediaDraft = (input: z.output<typeof mediaPayload>): Promise<MediaDraft> => draftOf(input, pixelsOfOneCall());

async function draftOf(input: z.output<typeof mediaPayload>, budget: { pixels: number }): Promise<MediaDraft> {
  const { id, mediaType, label, position, disabled, types, content: sent, extensionAttributes } = input;
  const video = extensionAttributes?.videoContent;
  return {
    id: id ?? undefined,
    mediaType: mediaType === 'external-video' || mediaType === 'image' ? mediaType : undefined,
    label,
    position: position ?? undefined,
    disabled: disabled ?? undefined,
    types: types ?? undefined,
    picture: sent ? await pictureOf(sent, budget) : undefined,
    videoContent: video ? inWords(video) : undefined,
  };
}

const inWords = (video: Record<string, unknown>) => Object.fromEntries(Object.entries(inSnakeCase(video) ?? {}));

/** What is drawn is taken from the budget. */
async function pictureOf(
  { base64EncodedData, type, name }: z.output<typeof mediaPayloadContent>,
  budget: { pixels: number },
): Promise<PictureToKeep> {
  const sent = base64EncodedData.replaceAll(/\s/g, '');
  const file = base64.test(sent) ? Buffer.from(sent, 'base64') : Buffer.alloc(0);
  if (file.length === 0) throw notPicture();
  const drawn = await drawPicture(file, budget);
  if (drawn.mimeType !== type) throw imageTypeNotSupported();
  if (name === '' || forbiddenInNames.test(name)) throw imageNameForbidden();
  return { ...drawn, name };
}

/** What the routes of product pictures say of themselves: examples and refusals. */

const example: z.input<typeof mediaAnswer> = {
  ...{ id: 7, media_type: 'image', label: 'A blue mug', position: 1, disabled: false },
  ...{ types: ['image', 'small_image', 'thumbnail'], file: '/m/u/mug-blue.png' },
};

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const content = { base64_encoded_data: pixel, type: 'image/png', name: 'mug-blue.png' };
const unknownImage: Outcome = {
  ...answered(noSuchImage()),
  when: 'The product has no such entry, or none any more.',
};
const notThere = () => notFound("The image doesn't exist. Verify and try again.");
const refusedPictures: readonly Outcome[] = [
  imageContentNotValid,
  imageNotBase64,
  imageTypeNotSupported,
  imageNameForbidden,
  pictureTooHeavy,
  pictureTooWide,
  {
    status: 413,
    message: 'The request body must not be larger than %1 bytes.',
    when: 'The body has more than one picture of the largest size needs.',
  },
];

function answered({ status, message }: { status: number; message: string }) {
  return { status, message };
}

const noSuchEntry: Outcome = { ...answered(notThere()), when: 'The product has no such entry.' };

const isShownElsewhere: Outcome = {
  status: 400,
  message: shownElsewhere,
  when: 'Several store views show the product, and the picture has a role in another one or for all of them.',
  then: 'Give the role to another picture, or delete it by `/rest/all/`.',
};

const access = { acl: 'Platform_Catalog::products' } as const;
const ofProduct = z.object({ sku: z.string() });
const ofEntry = z.object({ sku: z.string(), entryId: idParam });

/** The gallery of a product (platform facts 9.1). Refused with 404: unknown sku. */
const listMedia = route({
  ...access,
  method: 'GET',
  path: '/V1/products/:sku/media',
  name: 'listMediaOfProduct',
  summary: 'List the pictures of a product',
  description: `In their order, in the words of the path's store view. The picture itself is at \`base_media_url\` of
the store's
settings, then \`catalog/product\`, then \`file\`. A file never changes: a new picture has a new one.`,
  outcomes: [unknownProduct],
  examples: [{ title: 'One', params: { sku: 'MUG-BLUE' }, response: [example] }],
  params: ofProduct,
  response: z.array(mediaAnswer),

  async handle({ em, store, params: { sku } }) {
    const row = productAt(await findProduct(em, sku), store);
    return row.media_gallery_entries.map((entry) => renderMedia(entry, row.custom_attributes));
  },
});

/** One entry (platform facts 9.1). Refused with 404: unknown sku or entry. */
const getMedia = route({
  ...access,
  method: 'GET',
  path: '/V1/products/:sku/media/:entryId',
  name: 'getMediaOfProduct',
  summary: 'Read one picture of a product',
  description: "One entry, with the texts of the path's store view. `file` is the path of the picture.",
  outcomes: [unknownProduct, noSuchEntry],
  examples: [{ title: 'The first', params: { sku: 'MUG-BLUE', entryId: 7 }, response: example }],
  params: ofEntry,
  response: mediaAnswer,

  async handle({ em, store, params: { sku, entryId } }) {
    const row = productAt(await findProduct(em, sku), store);
    const entry = row.media_gallery_entries.find(({ id }) => id === entryId);
    if (!entry) throw notThere();
    return renderMedia(entry, row.custom_attributes);
  },
});

/** Adds a picture (platform facts 9.1). Each call adds one; an `Idempotency-Key` makes a repeat the same. */
const addMediaRoute = route({
  ...access,
  method: 'POST',
  path: '/V1/products/:sku/media',
  name: 'addMediaToProduct',
  summary: 'Add a picture to a product',
  description: `Answers the id of the entry. \`types\` names its roles; when they are absent, the first picture gets all
roles. A picture is drawn anew: only its pixels are kept, turned as its camera says, not where or when it was taken.
Each call
adds one.`,
  outcomes: [unknownProduct, ...refusedPictures],
  examples: [
    {
      title: 'The first picture',
      params: { sku: 'MUG-BLUE' },
      body: {
        entry: { media_type: 'image', label: 'A blue mug', position: 1, disabled: false, types: ['image'], content },
      },
      response: 7,
    },
  ],
  largestBody: largestPictureBody,
  params: ofProduct,
  body: z.object({ entry: mediaPayload }),
  response: z.int(),

  async handle({ em, store, workflows, log, params: { sku }, body: { entry } }) {
    const id = await addMedia(em, { sku, draft: await toMediaDraft(entry), place: store });
    await followPrices({ em, workflows, log });
    return id;
  },
});

/**
 * Changes an entry (platform facts 9.1). The id of the entry counts, else that of the path, as on the platform. Refused
 * with: 404 unknown · 400 as when it is added.
 */
const changeMediaRoute = route({
  ...access,
  method: 'PUT',
  path: '/V1/products/:sku/media/:entryId',
  name: 'changeMediaOfProduct',
  summary: 'Change a picture of a product',
  description: `What is not sent stays. Label, position, \`disabled\` and types are those of the path's store view;
\`/all/\` is above all
views. With \`content\` the picture is replaced everywhere, and its \`file\` is a new one. The entry's own \`id\` counts
before that
of the path.`,
  outcomes: [unknownProduct, unknownImage, ...refusedPictures.slice(1)],
  examples: [
    {
      title: 'Another label',
      params: { sku: 'MUG-BLUE', entryId: 7 },
      body: {
        entry: { id: 7, media_type: 'image', label: 'Blue', position: 2, disabled: false, types: ['thumbnail'] },
      },
      response: true,
    },
  ],
  largestBody: largestPictureBody,
  // Where the entry names its own, the platform does not look at what stands here.
  params: z.object({ sku: z.string(), entryId: text(64) }),
  body: z.object({ entry: mediaPayload }),
  response: z.literal(true),

  async handle({ em, store, workflows, log, params: { sku, entryId }, body: { entry } }) {
    const draft = { ...(await toMediaDraft(entry)), id: entry.id ?? readId(entryId) ?? 0 };
    await changeMedia(em, { sku, draft, place: store });
    await followPrices({ em, workflows, log });
    return true as const;
  },
});

/** Deletes an entry with its picture (platform facts 9.1). A repeat is a 404. Refused as `removeMedia`. */
const removeMediaRoute = route({
  ...access,
  method: 'DELETE',
  path: '/V1/products/:sku/media/:entryId',
  name: 'deleteMediaOfProduct',
  summary: 'Delete a picture of a product',
  description: `In every store view. Its address answers nothing any more, but browsers may keep what they have seen.
Below
\`/rest/all/\` it may have roles for all views.`,
  outcomes: [unknownProduct, unknownImage, isShownElsewhere],
  examples: [{ title: 'Deleted', params: { sku: 'MUG-BLUE', entryId: 7 }, response: true }],
  params: ofEntry,
  response: z.literal(true),

  async handle({ em, store, workflows, log, params: { sku, entryId } }) {
    await removeMedia(em, { sku, id: entryId, place: store });
    await followPrices({ em, workflows, log });
    return true as const;
  },
});

/** Routes of product pictures. */
export const mediaRoutes: readonly AnyRoute[] = [
  listMedia,
  getMedia,
  addMediaRoute,
  changeMediaRoute,
  removeMediaRoute,
];
