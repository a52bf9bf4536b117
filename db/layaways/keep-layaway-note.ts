import type { EntityManager } from '@mikro-orm/postgresql';

/**
 * Keeps why a layaway is to be cancelled until it is; only the id travels.
 *
 * @returns an id of our own: a register may repeat its request id
 */
export async function keepLayawayNote(em: EntityManager, note: { orderId: number; reason: string }): Promise<number> {
  const [row] = await em.execute<{ note_id: number }[]>(
    'insert into layaway_note (order_id, reason) values (?, ?) returning note_id',
    [note.orderId, note.reason],
  );
  if (!row) throw new Error('a note was not kept');
  return row.note_id;
}
