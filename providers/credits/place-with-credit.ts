import { OutsideCreditWanted } from '../../db/credits/outside-credit-wanted.ts';
import type { Spending } from '../../db/credits/spending-rows.ts';
import { invalid, PosError, unavailable } from '../../domain/errors.ts';
import { spendOutside, type SpendOutsideParts } from './spend-outside.ts';
import { giveUpSpendings } from './give-up-spendings.ts';

/** It is worked out twice from the same order; only a rate that changes in between makes it a third time. */
const mostRounds = 3;

export interface PlaceWithCredit<Saved> {
  /** The order as whoever places it names it: the same again is the same order. Null: it has no name. */
  requestKey: string | null;
  /** Saves the order in one transaction, with what was spent outside for it; may be called again. */
  place: (spent: readonly Spending[]) => Promise<Saved>;
}

/**
 * Places an order that may be paid with credit kept outside (spec 4.6).
 *
 * It is tried first, and all else that is wrong with it refused before anything is spent. Where only such credit is
 * missing, that is spent, with nothing locked, and the order is saved with it in one transaction. An order that is
 * refused then gives it up; a fault gives up nothing, for the order may be there: sent again it goes on, and what nobody
 * claims is given back by the sweep.
 *
 * Refused with: 400 an order without a name of its own · as `spendOutside` and `claimSpendings` say.
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

/** Of the order itself; what is only away may come back, and another run of the same request goes on with the same credit. */
const isRefusal = (error: unknown) =>
  error instanceof PosError &&
  error.status < 500 &&
  !(error.parameters && Reflect.get(error.parameters, 'outcome') === inUse);

const inUse = 'idempotency_key_in_use';

const nameless = () =>
  invalid(
    'Credit kept outside is spent once per order: send the order with an increment_id, ext_order_id, pos_sale_id or the header Idempotency-Key.',
  );
