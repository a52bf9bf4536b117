import { setTimeout as pause } from 'node:timers/promises';
import type { Day } from './day-of-trade.ts';
import type { Chance } from './random.ts';

const shortestQuietMs = 1_500;
const longestQuietMs = 6_000;

/** While the day lasts one of the processes dies every few seconds, without a word. @returns how often one did */
export async function trouble(
  { lane, deaths, restartTemporal, say }: Day,
  chance: Chance,
  isOver: () => boolean,
): Promise<number> {
  for (let death = 0; death < deaths; death++) {
    await pause(shortestQuietMs + chance.below(longestQuietMs - shortestQuietMs));
    if (isOver()) return death;
    const victim = chance.oneOf(['api', 'worker', 'worker', restartTemporal ? 'temporal' : 'worker'] as const);
    say?.(`${victim} dies`);
    if (victim === 'temporal') await restartTemporal?.();
    else {
      lane.processes[victim].kill();
      await lane.processes[victim].untilReady();
    }
  }
  return deaths;
}
