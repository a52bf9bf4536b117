import type { EntityManager } from '@mikro-orm/postgresql';
import { transact } from '../../db/support/transact.ts';
import { PosError } from '../../domain/errors.ts';
import { fillIn } from '../../domain/fill-in.ts';
import type { CreditProvider, OwnCredit } from './credit-provider.ts';

/** A fresh entity manager for each call. */
export type Fresh = () => EntityManager;

/** How one of our own stores adds credit, within a transaction of its caller. */
type GiveWithin = OwnCredit['giveWithin'];

/**
 * Both ways in which our own stores give credit: within a transaction of the caller, and in a separate one. A refusal is
 * final, because the key was not used; when the database is away, the outcome is unknown.
 */
export const givesFrom = (em: Fresh, giveWithin: GiveWithin): Pick<CreditProvider, 'give' | 'giveWithin'> => ({
  giveWithin,
  async give(gift) {
    try {
      return { outcome: 'credited', ...(await transact(em(), (tx) => giveWithin(tx, gift))) };
    } catch (error) {
      if (error instanceof PosError) return { outcome: 'refused', message: fillIn(error.message, error.parameters) };
      throw error;
    }
  },
});

/** The SKUs that no credit pays for, from the merchant's setting. */
export const skusIn = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split(',')
      .map((sku) => sku.trim())
      .filter((sku) => sku !== ''),
  );
