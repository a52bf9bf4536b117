import type { MediaEntry, MediaWords } from '../../../domain/platform/catalog/media-gallery.ts';
import type { PictureToKeep } from './product-pictures.ts';

/** A gallery entry as a caller sends it. When an entry is changed, absent fields stay. */
export interface MediaDraft extends Partial<{ [Word in keyof MediaWords]: MediaWords[Word] | undefined }> {
  id?: number | undefined;
  mediaType?: MediaEntry['mediaType'] | undefined;
  /** The complete list of roles; absent: no change. */
  types?: readonly string[] | undefined;
  picture?: PictureToKeep | undefined;
  videoContent?: Record<string, unknown> | undefined;
}
