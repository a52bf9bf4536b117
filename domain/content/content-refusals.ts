import { conflict, invalid, notFound, PosError } from '../errors.ts';
import type { ContentKind } from './content-kind.ts';

/** The name of each kind in refusals; for pages and blocks the platform's own name (platform facts 2.4). */
const nouns: Record<ContentKind, string> = {
  page: 'CMS page',
  block: 'CMS block',
  product_attribute: 'product attribute content',
  category_attribute: 'category attribute content',
  template: 'template',
  snippet: 'snippet',
};

export const noSuchContent = (kind: ContentKind, id: number) =>
  notFound(`The ${nouns[kind]} with the "%1" ID doesn't exist.`, [id]);

export const noSuchVersion = (number: number) => notFound('The version %1 does not exist.', [number]);

export const noSuchRenewal = (renewalId: number) => notFound('The renewal %1 does not exist.', [renewalId]);

/** Why content could not be saved. For a page the platform puts the reason into a sentence of its own. */
export const couldNotSave = (kind: ContentKind, reason: string): PosError =>
  kind === 'page' ? invalid('Could not save the page: %1', [reason]) : invalid(reason);

const taken: Record<ContentKind, string> = {
  page: 'URL key for specified store already exists.',
  block: 'A block identifier with the same properties already exists in the selected store.',
  product_attribute: 'This product already has content for the attribute in the selected store.',
  category_attribute: 'This category already has content for the attribute in the selected store.',
  template: 'A template with the same name already exists in the selected store.',
  snippet: 'A snippet with the same name already exists in the selected store.',
};

export const alreadyTaken = (kind: ContentKind) => couldNotSave(kind, taken[kind]);

/** The revision that an editor expects to change: the number of the last change seen, or any of several. */
export interface ExpectedRevision {
  revisions: readonly number[];
  /** True when it came in an `If-Match` header: its refusal has its own status (RFC 9110, 13.1.1). */
  isByHeader: boolean;
}

/**
 * Refused with 409 `content_changed`, or 412 where a header expected it: the content changed since the caller read
 * it.
 */
export function refuseStale(
  expected: ExpectedRevision | undefined,
  now: { revision: number; changedBy: string },
): void {
  if (expected && !expected.revisions.includes(now.revision)) throw changedMeanwhile(expected, now);
}

/** Tells the second of two editors that the content changed, and who changed it. */
function changedMeanwhile(
  { isByHeader }: Pick<ExpectedRevision, 'isByHeader'>,
  now: { revision: number; changedBy: string },
): PosError {
  const refused = conflict('content_changed', 'This was changed since you read it. Read it again.', {
    revision: now.revision,
    changed_by: now.changedBy,
  });
  return isByHeader ? new PosError({ ...refused.refusal, status: 412 }) : refused;
}
