import { troubleOf, type Trouble } from '../../db/support/connections/database-trouble.ts';
import { diskIsFull } from '../../domain/refusals/platform.ts';
import type { Refusal } from '../../domain/errors.ts';

const messages: Record<Trouble, string> = {
  away: 'The database cannot be reached. Try again later.',
  busy: 'The shop is too busy for this just now. Try again in a moment.',
  full: diskIsFull.message,
  unknown:
    'The database was lost while a change was written. It may have been carried out; read again before you repeat it.',
};

/** The 503 for a database failure, however it was wrapped; undefined for every other error. */
export function refuseTrouble(error: unknown): Refusal | undefined {
  const trouble = troubleOf(error);
  return trouble && { status: 503, message: messages[trouble] };
}
