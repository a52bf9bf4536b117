import type { EntityManager } from '@mikro-orm/postgresql';
import { lockAdvisory, tryLockAdvisory } from '../support/lock-advisory.ts';

/**
 * The order and the receipt of one sale take turns, so that the second to commit sees the first. The lock is held to
 * the end of the transaction. It is the last lock an order takes.
 */
export const lockSale = (em: EntityManager, saleId: string): Promise<void> => lockAdvisory(em, saleLock(saleId));

/** Takes the same lock only when it is free. @returns whether it was taken */
export const tryLockSale = (em: EntityManager, saleId: string): Promise<boolean> =>
  tryLockAdvisory(em, saleLock(saleId));

/** `pos_link_receipt` builds the same name. */
const saleLock = (saleId: string) => `sale ${saleId}`;
