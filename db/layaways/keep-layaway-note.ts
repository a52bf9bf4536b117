import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { LayawayNote } from './layaway-note.entity.ts';

/**
 * Stores the reason of a cancellation until it is carried out; only its id travels.
 *
 * @returns a new id, because a register may repeat its request id
 */
export async function keepLayawayNote(em: EntityManager, note: { orderId: number; reason: string }): Promise<number> {
  const row = await write.first(em, note);
  if (!row) throw new Error('a note was not kept');
  return row.noteId;
}

const write = statement({
  takes: { orderId: integer, reason: text },
  gives: of(LayawayNote, 'noteId'),
  text: 'insert into layaway_note (order_id, reason) values ($orderId, $reason) returning note_id',
});
