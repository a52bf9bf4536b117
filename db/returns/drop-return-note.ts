import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { statement } from '../support/statement.ts';

/** Forgets what was written beside a request that changed nothing. One that was carried out is gone already. */
export async function dropReturnNote(em: EntityManager, noteId: number | null): Promise<void> {
  if (noteId !== null) await drop.run(em, { noteId });
}

const drop = statement({
  takes: { noteId: integer },
  text: 'delete from sale_return_note where note_id = $noteId',
});
