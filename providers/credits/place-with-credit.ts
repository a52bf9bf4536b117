import { OutsideCreditWanted } from '../../db/credits/outside-credit-wanted.ts';
import type { Spending } from '../../db/credits/spending-rows.ts';
import { invalid, PosError, unavailable } from '../../domain/errors.ts';
import { spendOutside, type SpendOutsideParts } from './spend-outside.ts';
import { giveUpSpendings } from './give-up-spendings.ts';

/** Two rounds compute the same from the same order; a third is needed only when a rate changes in between. */
const mostRounds = 3;

export interface PlaceWithCredit<Saved> {
  /** The caller's name for the order: the same name is the same order. Null: it has no name. */
  requestKey: string | null;
  /** Saves the order in one transaction, with the outside spendings for it; may be called again. */
  place: (spent: readonly Spending[]) => Promise<Saved>;
}

/**
 * Places an order that may be paid with credit kept outside (spec 4.6).
 *
 * First it tries to place the order, so that every other error is refused before any credit is spent. Where only such
 * credit is missing, it is spent without any lock, and one transaction saves the order with it. When that is refused,
 * the spending is given up. After a fault nothing is given up, because the order may exist. A repeat continues, and
 * the sweep gives back spendings that no order claimed.
 *
 * Refused with: 400 an order without a name · as documented at `spendOutside` and `claimSpendings`.
 */
export async function placeWithCredit<Saved>(
  parts: SpendOutsideParts,
  { requestKey, place }: PlaceWithCredit<Saved>,
): Promise<Saved> {
  let spent: readonly Spending[] = [];
  for (let round = 1; round <= mostRounds; round++) {
    try {
      return await place(spent);
    } catch (error) {
      if (isRefusal(error)) await giveUpSpendings(parts, spent);
      if (!(error instanceof OutsideCreditWanted)) throw error;
      if (requestKey === null) throw nameless();
      spent = await spendOutside(parts, { requestKey, wanted: error.wanted });
    }
  }
  throw unavailable('What the credit of this order is worth changed meanwhile. Send the order again.');
}

/**
 * A refusal of the order itself. A service that is only away may come back, and a repeat then continues with the same
 * credit.
 */
const isRefusal = (error: unknown) =>
  error instanceof PosError &&
  error.status < 500 &&
  !(error.parameters && Reflect.get(error.parameters, 'outcome') === inUse);

const inUse = 'idempotency_key_in_use';

const nameless = () =>
  invalid(
    'Credit kept outside is spent once per order: send the order with an increment_id, ext_order_id, pos_sale_id or the header Idempotency-Key.',
  );
