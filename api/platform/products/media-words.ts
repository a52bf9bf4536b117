import type { z } from 'zod';
import { noSuchImage, shownElsewhere } from '../../../db/platform/catalog/save-media.ts';
import { notFound } from '../../../domain/errors.ts';
import type { Outcome } from '../../http/route.ts';
import type { mediaAnswer } from './render-media.ts';

/** What the routes of product pictures say of themselves: examples and refusals. */

export const example: z.input<typeof mediaAnswer> = {
  ...{ id: 7, media_type: 'image', label: 'A blue mug', position: 1, disabled: false },
  ...{ types: ['image', 'small_image', 'thumbnail'], file: '/m/u/mug-blue_7_0a1b2c3d.png' },
};

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const content = { base64_encoded_data: pixel, type: 'image/png', name: 'mug-blue.png' };
export const unknownImage: Outcome = {
  ...answered(noSuchImage()),
  when: 'The product has no such entry, or none any more.',
};
export const notThere = () => notFound("The image doesn't exist. Verify and try again.");
export const refusedPictures: readonly Outcome[] = [
  {
    status: 400,
    message: 'The image content is invalid. Verify the content and try again.',
    when: 'A new entry has no `content`.',
  },
  {
    status: 400,
    message: 'The image content must be valid base64 encoded data.',
    when: 'It is no base64, or no PNG, JPEG or GIF that can be read. Only a file of up to 1 kB may lack its end.',
  },
  {
    status: 400,
    message: 'The image MIME type is not valid or not supported.',
    when: '`type` is not what the picture is.',
  },
  {
    status: 400,
    message: 'Provided image name contains forbidden characters.',
    when: 'The name has one of `\\ / ? * : " ; < > ( ) | { }`.',
  },
  { status: 400, message: 'A picture has at most %1 kB.', when: 'It has more than 3 MB.' },
  {
    status: 400,
    message: 'A picture has at most %1 pixels each way.',
    when: 'A PNG has more than 2000, another picture more than 6000.',
  },
  {
    status: 413,
    message: 'The request body must not be larger than %1 bytes.',
    when: 'The body has more than one picture of the largest size needs.',
  },
];

function answered({ status, message }: { status: number; message: string }) {
  return { status, message };
}

export const noSuchEntry: Outcome = { ...answered(notThere()), when: 'The product has no such entry.' };

export const isShownElsewhere: Outcome = {
  status: 400,
  message: shownElsewhere,
  when: 'Several store views show the product, and the picture has a role in another one or for all of them.',
  then: 'Give the role to another picture, or delete it by `/rest/all/`.',
};
