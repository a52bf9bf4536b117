import { z } from 'zod';
import { productAt, readProduct } from '../../../db/platform/catalog/read-products.ts';
import { addMedia, changeMedia, removeMedia } from '../../../db/platform/catalog/save-media.ts';
import { followPrices } from '../../temporal/follow-prices.ts';
import { route, type AnyRoute } from '../../http/route.ts';
import { readId } from '../../wire/read-number.ts';
import { idParam, text } from '../../wire/schemas.ts';
import { largestPictureBody, mediaPayload, toMediaDraft } from './media-payload.ts';
import {
  content,
  example,
  isShownElsewhere,
  noSuchEntry,
  notThere,
  refusedPictures,
  unknownImage,
} from './media-words.ts';
import { unknownProduct } from './product-words.ts';
import { mediaAnswer, renderMedia } from './render-media.ts';

const door = { acl: 'Platform_Catalog::products' } as const;
const ofProduct = z.object({ sku: z.string() });
const ofEntry = z.object({ sku: z.string(), entryId: idParam });

/** The gallery of a product (platform facts 9.1). Refused with 404: unknown sku. */
const listMedia = route({
  ...door,
  method: 'GET',
  path: '/V1/products/:sku/media',
  name: 'listMediaOfProduct',
  summary: 'List the pictures of a product',
  description: `In their order, in the words of the path's store view. The picture itself is at \`base_media_url\` of the store's
settings, then \`catalog/product\`, then \`file\`. A file never changes: a new picture has a new one.`,
  outcomes: [unknownProduct],
  examples: [{ title: 'One', params: { sku: 'MUG-BLUE' }, response: [example] }],
  params: ofProduct,
  response: z.array(mediaAnswer),

  async handle({ em, store, params: { sku } }) {
    const row = productAt(await readProduct(em, sku), store);
    return row.media_gallery_entries.map((entry) => renderMedia(entry, row.custom_attributes));
  },
});

/** One entry (platform facts 9.1). Refused with 404: unknown sku or entry. */
const getMedia = route({
  ...door,
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
    const row = productAt(await readProduct(em, sku), store);
    const entry = row.media_gallery_entries.find(({ id }) => id === entryId);
    if (!entry) throw notThere();
    return renderMedia(entry, row.custom_attributes);
  },
});

/** Adds a picture (platform facts 9.1). Each call adds one; an `Idempotency-Key` makes a repeat the same. */
const addMediaRoute = route({
  ...door,
  method: 'POST',
  path: '/V1/products/:sku/media',
  name: 'addMediaToProduct',
  summary: 'Add a picture to a product',
  description: `Answers the id of the entry. \`types\` names its roles; when they are absent, the first picture gets all
roles. A picture is drawn anew: only its pixels are kept, turned as its camera says, not where or when it was taken. Each call
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
  ...door,
  method: 'PUT',
  path: '/V1/products/:sku/media/:entryId',
  name: 'changeMediaOfProduct',
  summary: 'Change a picture of a product',
  description: `What is not sent stays. Label, position, \`disabled\` and types are those of the path's store view; \`/all/\` is above all
views. With \`content\` the picture is replaced everywhere, and its \`file\` is a new one. The entry's own \`id\` counts before that
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
  ...door,
  method: 'DELETE',
  path: '/V1/products/:sku/media/:entryId',
  name: 'deleteMediaOfProduct',
  summary: 'Delete a picture of a product',
  description: `In every store view. Its address answers nothing any more, but browsers may keep what they have seen. Below
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
