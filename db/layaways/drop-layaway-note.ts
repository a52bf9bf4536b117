import type { EntityManager } from '@mikro-orm/postgresql';
import { integer } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { LayawayNote } from './layaway-note.entity.ts';

/**
 * Deletes a note, in the transaction of the verb or after its refusal.
 *
 * @returns the comment; null when there was none, or it was deleted before
 */
export async function dropLayawayNote(em: EntityManager, noteId: number | null): Promise<string | null> {
  if (noteId === null) return null;
  return (await take.first(em, { noteId }))?.reason ?? null;
}

const take = statement({
  takes: { noteId: integer },
  gives: of(LayawayNote, 'reason'),
  text: 'delete from layaway_note where note_id = $noteId returning reason',
});
