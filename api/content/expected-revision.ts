import type { ExpectedRevision } from '../../domain/content/content-refusals.ts';

/** The tag of content as it is now, for `ETag`. */
export const tagOf = ({ revision }: { revision: number }) => `"${revision}"`;

/**
 * The revision that the caller expects to change: from an `If-Match` header, else from the body; undefined where
 * neither is sent, as platform clients do.
 */
export function expectedRevision(ifMatch: string | undefined, inBody?: number): ExpectedRevision | undefined {
  const tags = ifMatch?.trim();
  if (tags !== undefined && tags !== '' && tags !== '*')
    return { revisions: [...tags.matchAll(/"(\d{1,9})"/g)].map(([, number]) => Number(number)), isByHeader: true };
  return inBody === undefined ? undefined : { revisions: [inBody], isByHeader: false };
}
