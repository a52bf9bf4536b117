import type { EntityManager } from '@mikro-orm/postgresql';
import { statement } from '../support/statement.ts';

/**
 * Publishing is done one at a time, so that a page never shows a block as it was before: whoever comes second renders with
 * what the first one committed.
 */
export const lockPublishing = async (tx: EntityManager): Promise<void> => {
  await lock.run(tx);
};

const lock = statement({ takes: {}, text: `select pg_advisory_xact_lock(hashtext('publish content'))` });
