import type { EntityManager } from '@mikro-orm/postgresql';
import { transact } from '../../db/support/transact.ts';
import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import type { Amount } from '../../domain/money/amount.ts';
import type { CreditGiftFinding } from './credit-provider.ts';

/** A fresh entity manager for each call. */
export type Fresh = () => EntityManager;

/**
 * Gives credit from one of our own stores, in a separate transaction. A refusal is final, because the key was not
 * used; when the database is away, the outcome is unknown.
 */
export async function giveFrom(
  em: EntityManager,
  work: (em: EntityManager) => Promise<{ transactionId: string; remainingBalance: Amount | null }>,
): Promise<CreditGiftFinding> {
  try {
    return { outcome: 'credited', ...(await transact(em, work)) };
  } catch (error) {
    if (error instanceof PosError) return { outcome: 'refused', message: fillIn(error.message, error.parameters) };
    throw error;
  }
}

/** The SKUs that no credit pays for, from the merchant's setting. */
export const skusIn = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(',')
      .map((sku) => sku.trim())
      .filter((sku) => sku !== ''),
  );
