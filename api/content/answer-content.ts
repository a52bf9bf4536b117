import { findRenewal } from '../../db/content/content-renewals.ts';
import { findContent } from '../../db/content/read-content.ts';
import type { RouteContext } from '../http/route.ts';
import { renderContentRow } from './content-answer.ts';
import type { ContentType } from './content-type.ts';
import { tagOf } from './expected-revision.ts';

/**
 * Present content with its tag, and for a block the progress of rendering it elsewhere. Refused with: 404 unknown id.
 */
export async function answerContent(
  type: ContentType,
  { em, setHeader }: Pick<RouteContext, 'em' | 'setHeader'>,
  contentId: number,
) {
  const row = await findContent(em, { kind: type.kind, contentId });
  setHeader('ETag', tagOf(row));
  return renderContentRow(type, row, type.kind === 'block' ? await findRenewal(em, row.identifier) : undefined);
}
