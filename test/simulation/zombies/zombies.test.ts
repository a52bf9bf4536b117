import { expect, test } from '@jest/globals';
import { chanceOf } from '../random.ts';
import { runRound } from './run-round.ts';
import { canDouble, roundsOf } from './trial.ts';

/**
 * Workers that stand still between claiming a refund's call and sending it, and come back when another has given the
 * money back. `ZOMBIE_TRIALS=500 SEED=… npm test -- test/simulation/zombies` runs more of them; the seed is printed.
 */
const trialsPerRound = Number(process.env['ZOMBIES_AT_ONCE'] ?? 4);
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const rounds = roundsOf(
  Math.ceil(Number(process.env['ZOMBIE_TRIALS'] ?? trialsPerRound) / trialsPerRound),
  chanceOf(seed),
);
const each = <Value>(count: number, value: Value) => Array.from({ length: count }, () => value);

test.each(rounds.map((round, index) => ({ ...round, index })))(
  `$index: a worker frozen at $point, $length, where one gateway honours keys and one is $lax (seed ${seed})`,
  async ({ index, ...round }) => {
    console.log(`zombies seed=${seed} round ${index + 1} of ${rounds.length}: ${Object.values(round).join(', ')}`);

    const result = await runRound(round, { trials: trialsPerRound, chance: chanceOf(seed + index) });

    const [strict, lax] = [Math.ceil(trialsPerRound / 2), Math.floor(trialsPerRound / 2)];
    expect(result.statuses).toEqual(each(trialsPerRound, 'closed'));
    expect(result.refunds.strict).toEqual(each(strict, 1));
    if (!canDouble(round)) {
      expect(result.refunds.lax).toEqual(each(lax, 1));
      expect(result.broken).toEqual([]);
      return;
    }
    // No client can prevent it there: then the books have to show it, of these orders and of no other.
    expect(result.refunds.lax).toEqual(each(lax, 2));
    expect(result.broken).toEqual(['I-09b', 'I-11']);
    expect(result.differing).toEqual(result.laxOrders);
  },
);
