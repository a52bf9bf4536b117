import type { EntityManager } from '@mikro-orm/postgresql';
import { lockAdvisory, tryLockAdvisory } from '../support/lock-advisory.ts';

/**
 * Order and receipt of one sale take turns: whichever commits second sees the first. Held to the transaction's end, so
 * it is the last lock an order takes.
 */
export const lockSale = (em: EntityManager, saleId: string): Promise<void> => lockAdvisory(em, saleLock(saleId));

/** The same where nobody has its turn. @returns whether it is the caller's */
export const tryLockSale = (em: EntityManager, saleId: string): Promise<boolean> =>
  tryLockAdvisory(em, saleLock(saleId));

const saleLock = (saleId: string) => `sale ${saleId}`;
