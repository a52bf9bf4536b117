import type { EntityManager } from '@mikro-orm/postgresql';
import { statement } from '../../support/statement.ts';

/** Who changes the shape of the tree does it alone: a path is made of the paths above it. */
export const lockTree = async (tx: EntityManager): Promise<void> => {
  await lock.run(tx);
};

const lock = statement({ takes: {}, text: `select pg_advisory_xact_lock(hashtext('category tree'))` });
