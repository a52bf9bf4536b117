import type { EntityManager } from '@mikro-orm/postgresql';
import { addReturnComment } from './add-return-comment.ts';
import type { Return } from './return.entity.ts';

/**
 * Puts what a person wrote beside a request into the return's history, in the transaction of the verb. Once: the note is
 * taken away by it.
 */
export async function tellNote(em: EntityManager, rma: Return, noteId: number | null): Promise<void> {
  if (noteId === null) return;
  const [note] = await em.execute<{ comment: string; author: string | null }[]>(
    'delete from sale_return_note where note_id = ? and return_id = ? returning comment, author',
    [noteId, rma.returnId],
  );
  if (!note) return;
  const { comment, author } = note;
  addReturnComment(em, {
    returnId: rma.returnId,
    comment,
    status: rma.status,
    ...(author === null ? {} : { author }),
  });
}
