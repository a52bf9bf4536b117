import { z } from 'zod';
import type { PictureToKeep } from '../../../db/platform/catalog/product-pictures.ts';
import type { MediaDraft } from '../../../db/platform/catalog/media-draft.ts';
import { invalid } from '../../../domain/errors.ts';
import {
  drawPicture,
  mostPictureBytes,
  notPicture,
  pixelsOfOneCall,
} from '../../../providers/platform/draw-picture.ts';
import { inSnakeCase } from '../../wire/in-snake-case.ts';
import { flag, idParam, integer, payload, text } from '../../wire/schemas.ts';

/** Base64 has four characters for three bytes, and line breaks. */
const mostBase64 = Math.ceil((mostPictureBytes * 4) / 3 / 76) * 78;

/** The size of a body with the largest picture and its other fields. */
export const largestPictureBody = mostBase64 + 65_536;

/** New pictures of one call; a gallery of more is sent in several. */
const mostNewPictures = 10;

const mostTypes = 16;
const forbiddenInNames = /[\\/?*:";<>()|{}]/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

const content = payload({
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
  content: content.nullish(),
  extensionAttributes: payload({
    videoContent: z.record(z.string(), z.unknown()).nullish(),
  }).nullish(),
});

/** Makes the catalog's types of all entries of a call. Refused as one is, and with 400: more new pictures than a call may have. */
export async function toMediaDrafts(entries: readonly z.output<typeof mediaPayload>[]): Promise<MediaDraft[]> {
  const added = entries.filter(({ content: sent }) => sent).length;
  if (added > mostNewPictures)
    throw invalid('Maximum items of type "%type" is %max', { type: 'newPicture', max: mostNewPictures });
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
export const toMediaDraft = (given: z.output<typeof mediaPayload>): Promise<MediaDraft> =>
  draftOf(given, pixelsOfOneCall());

async function draftOf(given: z.output<typeof mediaPayload>, budget: { pixels: number }): Promise<MediaDraft> {
  const { id, mediaType, label, position, disabled, types, content: sent, extensionAttributes } = given;
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
  { base64EncodedData, type, name }: z.output<typeof content>,
  budget: { pixels: number },
): Promise<PictureToKeep> {
  const sent = base64EncodedData.replaceAll(/\s/g, '');
  const file = base64.test(sent) ? Buffer.from(sent, 'base64') : Buffer.alloc(0);
  if (file.length === 0) throw notPicture();
  const drawn = await drawPicture(file, budget);
  if (drawn.mimeType !== type) throw invalid('The image MIME type is not valid or not supported.');
  if (name === '' || forbiddenInNames.test(name)) throw invalid('Provided image name contains forbidden characters.');
  return { ...drawn, name };
}
