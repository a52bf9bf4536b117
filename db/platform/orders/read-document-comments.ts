import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, json, surely, text } from '../../support/kinds.ts';
import { statement } from '../../support/statement.ts';
import type { commentedDocuments } from './document-comment.entity.ts';
import type { SheetRow } from './sheet-row.ts';

/** A limit for one answer; no document has this many comments in practice. */
const maxComments = 1_000;

/** The comments of a document, newest first; none for an unknown one (platform facts 3.5). */
export async function readDocumentComments(
  em: EntityManager,
  document: (typeof commentedDocuments)[number],
  parentId: number,
): Promise<SheetRow[]> {
  const rows = await read.all(em, { document, parentId, maxComments });
  return rows.map(({ line }) => line);
}

const read = statement({
  takes: { document: text, parentId: integer, maxComments: integer },
  gives: { line: surely(json<SheetRow>()) },
  text: `
    select to_json(c) as line from sales_document_comment c
    where c.document = $document and c.parent_id = $parentId order by c.created_at desc, c.entity_id desc limit $maxComments`,
});
