import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Takes a note away, in the transaction of the verb or after its refusal.
 *
 * @returns what was written; null when there was nothing, or it was taken before
 */
export async function dropLayawayNote(em: EntityManager, noteId: number | null): Promise<string | null> {
  if (noteId === null) return null;
  const [note] = await em.execute<{ reason: string }[]>('delete from layaway_note where note_id = ? returning reason', [
    noteId,
  ]);
  return note?.reason ?? null;
}
