import type { EntityManager } from '@mikro-orm/postgresql';

/** Forgets what was written beside a request that changed nothing. One that was carried out is gone already. */
export async function dropReturnNote(em: EntityManager, noteId: number | null): Promise<void> {
  if (noteId === null) return;
  await em.execute('delete from sale_return_note where note_id = ?', [noteId]);
}
