import type { EntityManager } from '@mikro-orm/postgresql';
import { refuseTooLate } from '../../db/support/begin-before.ts';
import { troubleOf } from '../../db/support/connections/database-trouble.ts';

/**
 * One transaction of a request, which checks itself that it is not too late. Where it waits in vain for a lock or a
 * connection, and its moment has passed meanwhile, it is refused: another try could only refuse it again, and whoever
 * comes next would wait.
 *
 * Refused with: 503 too late; the refusals of the work.
 */
export async function inTime<Answer>(
  em: EntityManager,
  beginBefore: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    // After a lost commit nobody knows: the next try finds out.
    if (troubleOf(error) === 'busy') await refuseTooLate(em.fork(), beginBefore);
    throw error;
  }
}
