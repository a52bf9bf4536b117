import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';
import type { ReturnRow } from './lock-return.ts';

/**
 * Moves a person's comment of a request into the return's history, in the transaction of the verb. Once: it deletes
 * the stored comment.
 */
export async function publishNote(em: EntityManager, rma: ReturnRow, noteId: number | null): Promise<void> {
  if (noteId === null) return;
  await moveNote.run(em, { noteId, returnId: rma.returnId, status: rma.status });
}

const moveNote = statement({
  takes: { noteId: integer, returnId: integer, status: text },
  text: `
    with note as (
      delete from sale_return_note where note_id = $noteId and return_id = $returnId returning return_id, comment, author
    )
    insert into sale_return_comment (return_id, comment, status, author, created_at)
    select return_id, comment, $status, author, clock_timestamp() from note`,
});
