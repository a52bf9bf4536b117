import type { EntityManager } from '@mikro-orm/postgresql';
import { lockAdvisory } from '../../support/lock-advisory.ts';

/** The deepest level; a path of so many ids fits its column. */
export const deepestLevel = 20;

/** Only one transaction at a time changes the tree: a path is made of the paths above it. */
export const lockTree = (tx: EntityManager): Promise<void> => lockAdvisory(tx, 'category tree');
