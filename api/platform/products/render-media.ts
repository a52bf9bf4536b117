import { z } from 'zod';
import { rolesOf, type MediaEntry } from '../../../domain/platform/catalog/media-gallery.ts';

/** An entry of a gallery as answers have it (platform facts 9.1); the file is below `media/catalog/product`. */
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

/** @param attributes of the product, where it is read: they say what the picture is shown as */
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
