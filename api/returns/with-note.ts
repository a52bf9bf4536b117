import { dropReturnNote } from '../../db/returns/drop-return-note.ts';
import { keepReturnNote } from '../../db/returns/keep-return-note.ts';
import { PosError } from '../../domain/errors.ts';
import { refuseCardData } from '../../domain/receipts/refuse-card-data.ts';
import type { RouteContext } from '../http/route.ts';

interface Noted {
  rmaId: number;
  comment: string | undefined;
}

/**
 * Stores a person's comment in the database while a workflow carries the request out; only its id travels.
 *
 * The verb deletes the comment. A refused request leaves none behind; one that may still run keeps it.
 */
export async function withNote<Answer>(
  { em, caller }: Pick<RouteContext, 'em' | 'caller'>,
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
