import { calmGateway } from './calm-gateway.ts';
import { aCashier, type Counter } from './cashier.ts';
import { evening } from './evening.ts';
import { findWrong } from './find-wrong.ts';
import { chanceOf } from './random.ts';
import { moreLocations } from './shop.ts';
import { trouble } from './trouble.ts';
import type { Day } from './day-of-trade.ts';

/** What came of a day; all is well when nothing is wrong. */
export interface DayReport {
  presses: number;
  lostAnswers: number;
  returns: number;
  deaths: number;
  refunds: number;
  wrong: string[];
}

/**
 * Registers at three locations that sell, take back, press twice, give up waiting and get in each other's way; a
 * gateway that loses answers and tells the truth late; API, worker and Temporal that die in between. In the evening
 * every question is answered truthfully, and then the books must be right to the cent.
 *
 * The same seed gives every register the same wishes; what meets what is left to the machine.
 */
export async function simulateDay(day: Day): Promise<DayReport> {
  const { lane, seed, registers, steps } = day;
  const locations = [lane.shop.locationId, ...(await moreLocations(lane, 2))];
  await calmGateway(lane, { slow_ms: 200, silence_ms: 2_000 });
  const counter: Counter = { lane, locations, returns: [], presses: 0, lostAnswers: 0 };
  let isOver = false;
  const dying = trouble(day, chanceOf(seed + 9_999), () => isOver);
  await Promise.all(
    Array.from({ length: registers }, (_, index) =>
      aCashier(counter, { chance: chanceOf(seed + index), name: `${seed}-${index}`, steps }),
    ),
  );
  isOver = true;
  const deaths = await dying;
  day.say?.(`the shop is closed after ${counter.presses} presses; questions are answered now`);
  await evening(lane);
  const refunds = lane.gateway.ledger.refunds.filter(({ state }) => state === 'refunded').length;
  return {
    presses: counter.presses,
    lostAnswers: counter.lostAnswers,
    returns: counter.returns.length,
    deaths,
    refunds,
    wrong: await findWrong(lane),
  };
}
