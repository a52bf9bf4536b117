import type { EntityManager } from '@mikro-orm/postgresql';
import type { commentedDocuments } from './document-comment.entity.ts';
import type { SheetRow } from './sheet-row.ts';

/** Nobody writes thousands of lines about one document. */
const maxComments = 1_000;

/** The comments of a document, newest first; none for an unknown one (platform facts 3.5). */
export async function readDocumentComments(
  em: EntityManager,
  document: (typeof commentedDocuments)[number],
  parentId: number,
): Promise<SheetRow[]> {
  const rows = await em.execute<{ line: SheetRow }[]>(
    `select to_json(c) as line from sales_document_comment c
     where c.document = ? and c.parent_id = ? order by c.created_at desc, c.entity_id desc limit ?`,
    [document, parentId, maxComments],
  );
  return rows.map(({ line }) => line);
}
