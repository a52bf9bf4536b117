import type { EntityManager } from '@mikro-orm/postgresql';
import { lockAdvisory } from '../support/lock-advisory.ts';

/**
 * Publishing is done one at a time, so that a page never shows a block as it was before: whoever comes second renders with
 * what the first one committed.
 */
export const lockPublishing = (tx: EntityManager): Promise<void> => lockAdvisory(tx, 'publish content');
