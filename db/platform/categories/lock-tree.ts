import type { EntityManager } from '@mikro-orm/postgresql';
import { statement } from '../../support/statement.ts';

/** No shop has more levels; a path of so many ids fits its column. */
export const deepestLevel = 20;

/** Who changes the shape of the tree does it alone: a path is made of the paths above it. */
export const lockTree = async (tx: EntityManager): Promise<void> => {
  await lock.run(tx);
};

const lock = statement({ takes: {}, text: `select pg_advisory_xact_lock(hashtext('category tree'))` });
