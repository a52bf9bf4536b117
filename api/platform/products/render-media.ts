import { z } from 'zod';
import { rolesOf, type MediaEntry } from '../../../domain/platform/catalog/media-gallery.ts';

/** A gallery entry in answers (platform facts 9.1). Its file is below `media/catalog/product`. */
export const mediaAnswer = z.object({
  id: z.int(),
  media_type: z.string(),
  label: z.string().nullable(),
  position: z.int(),
  disabled: z.boolean(),
  types: z.array(z.string()),
  file: z.string(),
  extension_attributes: z.object({ video_content: z.record(z.string(), z.unknown()) }).optional(),
});

/** @param attributes the product's attributes in this view, which name the pictures of its roles */
export const renderMedia = (
  entry: MediaEntry,
  attributes: Readonly<Record<string, unknown>>,
): z.input<typeof mediaAnswer> => ({
  id: entry.id,
  media_type: entry.mediaType,
  label: entry.label,
  position: entry.position,
  disabled: entry.disabled,
  types: rolesOf(entry, attributes),
  file: entry.file,
  ...(entry.videoContent ? { extension_attributes: { video_content: entry.videoContent } } : {}),
});
