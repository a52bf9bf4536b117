import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** Deletes the comment of a request that changed nothing. A request that was carried out deleted its own. */
export async function dropReturnNote(em: EntityManager, noteId: number | null): Promise<void> {
  if (noteId !== null) await drop.run(em, { noteId });
}

const drop = statement({
  takes: { noteId: integer },
  text: 'delete from sale_return_note where note_id = $noteId',
});
