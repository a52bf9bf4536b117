import type { EntityManager } from '@mikro-orm/postgresql';

export interface KeptNote {
  returnId: number;
  comment: string;
  /** Who called, as the token tells. */
  author: string;
}

/**
 * Keeps what a person wrote beside a request until its verb is carried out; only its id travels.
 *
 * @returns an id of our own: a register may repeat its request id
 */
export async function keepReturnNote(em: EntityManager, { returnId, comment, author }: KeptNote): Promise<number> {
  const [row] = await em.execute<{ note_id: number }[]>(
    'insert into sale_return_note (return_id, comment, author) values (?, ?, ?) returning note_id',
    [returnId, comment, author.slice(0, 255)],
  );
  if (!row) throw new Error('a note was not kept');
  return row.note_id;
}
