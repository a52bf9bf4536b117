import type { EntityManager } from '@mikro-orm/postgresql';

/** Forgets what was written beside a request that was refused. One that was carried out is gone already. */
export async function dropReturnNote(em: EntityManager, noteId: number): Promise<void> {
  await em.execute('delete from sale_return_note where note_id = ?', [noteId]);
}
