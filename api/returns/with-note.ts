import { dropReturnNote } from '../../db/returns/drop-return-note.ts';
import { keepReturnNote } from '../../db/returns/keep-return-note.ts';
import { PosError } from '../../domain/errors.ts';
import { refuseCardData } from '../wire/refuse-card-data.ts';
import type { Surroundings } from '../http/route.ts';

interface Noted {
  rmaId: number;
  comment: string | undefined;
}

/**
 * Keeps a person's words in the database while a workflow carries their request out; only an id travels.
 *
 * The verb takes the note away. A refused one leaves none behind; one that may still be running keeps it.
 */
export async function withNote<Answer>(
  { em, caller }: Pick<Surroundings, 'em' | 'caller'>,
  { rmaId, comment }: Noted,
  work: (noteId: number | null) => Promise<Answer>,
): Promise<Answer> {
  if (!comment) return work(null);
  refuseCardData(comment);
  const noteId = await keepReturnNote(em, { returnId: rmaId, comment, author: caller.name });
  try {
    return await work(noteId);
  } catch (error) {
    if (error instanceof PosError && error.status < 500) await dropReturnNote(em, noteId);
    throw error;
  }
}
