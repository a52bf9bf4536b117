import type { ExpectedRevision } from '../../domain/content/content-refusals.ts';

/** The tag of content as it is now, for `ETag`. */
export const tagOf = ({ revision }: { revision: number }) => `"${revision}"`;

/**
 * What the caller believes to change: by an `If-Match` header, else by the revision in the body; undefined where neither
 * says so, as clients of the platform do.
 */
export function expectedRevision(ifMatch: string | undefined, inBody?: number): ExpectedRevision | undefined {
  const tags = ifMatch?.trim();
  if (tags !== undefined && tags !== '' && tags !== '*')
    return { revisions: [...tags.matchAll(/"(\d{1,9})"/g)].map(([, number]) => Number(number)), isByHeader: true };
  return inBody === undefined ? undefined : { revisions: [inBody], isByHeader: false };
}
