import type { EntityManager } from '@mikro-orm/postgresql';
import { integer, text } from '../support/kinds.ts';
import { of } from '../support/rows.ts';
import { statement } from '../support/statement.ts';
import { ReturnNote } from './return-note.entity.ts';

export interface KeptNote {
  returnId: number;
  comment: string;
  /** The caller, by its token. */
  author: string;
}

/**
 * Stores a person's comment of a request until its verb is carried out; only its id travels.
 *
 * @returns a new id, because a register may repeat its request id
 */
export async function keepReturnNote(em: EntityManager, { returnId, comment, author }: KeptNote): Promise<number> {
  const row = await write.first(em, { returnId, comment, author: author.slice(0, 255) });
  if (!row) throw new Error('a note was not kept');
  return row.noteId;
}

const write = statement({
  takes: { returnId: integer, comment: text, author: text },
  gives: of(ReturnNote, 'noteId'),
  text: `insert into sale_return_note (return_id, comment, author) values ($returnId, $comment, $author)
    returning note_id`,
});
