import type { EntityManager } from '@mikro-orm/postgresql';
import { lockAdvisory } from '../../support/lock-advisory.ts';

/** No shop has more levels; a path of so many ids fits its column. */
export const deepestLevel = 20;

/** Who changes the shape of the tree does it alone: a path is made of the paths above it. */
export const lockTree = (tx: EntityManager): Promise<void> => lockAdvisory(tx, 'category tree');
