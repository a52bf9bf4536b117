import { randomUUID } from 'node:crypto';
import type { booksOf } from '../books.ts';

type Books = Pick<ReturnType<typeof booksOf>, 'find' | 'change'>;

/** What a crash between commit and answer leaves of a request with a key: the work is there, the answer is not. */
export const loseAnswer = (
  { change }: Pick<Books, 'change'>,
  which: { digest: string } | { made_id: number },
): Promise<void> =>
  change('keyed_request', which, {
    ...{ state: 'open', owner: randomUUID(), lease_until: new Date() },
    ...{ status: null, answer: null, answered_at: null },
  });

/** The same, of the last request that came. */
export const loseLastAnswer = async (books: Books): Promise<void> =>
  loseAnswer(books, { digest: (await lastRequest(books)).digest });

/** The last request with a key that came. */
export async function lastRequest({ find }: Pick<Books, 'find'>): Promise<{ digest: string; operation_key: string }> {
  const requests = await find('keyed_request', {}, 'digest', 'operation_key', 'created_at');
  const [last] = requests.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
  if (!last) throw new Error('No request with a key came.');
  return { digest: last.digest, operation_key: last.operation_key };
}
