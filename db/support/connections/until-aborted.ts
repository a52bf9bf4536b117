import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../sql.ts';

const backend = sql('until-aborted.backend')`select pg_backend_pid() as pid`;
const cancel = sql('until-aborted.cancel')`select pg_cancel_backend($pid) as is_told`;

/**
 * Work on a pool of one connection, whose statement ends once the signal says so: nobody waits for a statement of
 * minutes whose answer nobody needs. The word goes by another pool; a repeat of it changes nothing.
 *
 * Refused with: the signal's reason, when it came.
 */
export async function untilAborted<Made>(
  { own, other, signal }: { own: EntityManager; other: EntityManager; signal: AbortSignal },
  work: () => Promise<Made>,
): Promise<Made> {
  signal.throwIfAborted();
  const { pid } = (await backend.first(own)) ?? { pid: 0 };
  const end = () => void cancel.first(other, { pid }).catch(() => undefined);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
  }
}
