import type { EntityManager } from '@mikro-orm/postgresql';
import { lockAdvisory } from '../support/lock-advisory.ts';

/**
 * Publishing runs one at a time, so that a page never shows an old block: the second transaction renders with what
 * the first one committed.
 */
export const lockPublishing = (tx: EntityManager): Promise<void> => lockAdvisory(tx, 'publish content');
