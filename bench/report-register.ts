import { columns } from '../cli/support/columns.ts';
import type { ListMeasured } from './measure-list.ts';
import type { LoopDelay, SignInRound } from './measure-sign-in.ts';
import { median } from './support/statistics.ts';

const mostOfCompare = 1.05;
/** The longest permitted delay of other routes while eight sign in. */
const mostLate = { p99Ms: 10, mostMs: 50, ofPlain: 0.07 };
const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED');

export function reportSignIn(rounds: readonly SignInRound[]): string {
  const middle = (of: (round: SignInRound) => number) => median(rounds.map(of));
  const ratio = middle(({ apiMs, plainMs }) => apiMs / plainMs);
  const lateness = (of: (round: SignInRound) => LoopDelay) =>
    `${middle((round) => of(round).p99Ms).toFixed(0)} / ${middle((round) => of(round).mostMs).toFixed(0)} ms`;
  const share = middle(({ apiLoop, plainLoop }) => apiLoop.mostMs / plainLoop.mostMs);
  return `\n${columns([
    [
      'SIGN-IN',
      'API',
      'COMPARE ALONE',
      'RATIO',
      'TARGET',
      'LOOP LATE, 8 AT ONCE (p99 / most)',
      'ON THE LOOP',
      'SHARE',
      'TARGET',
    ],
    [
      'staff authenticate',
      `${middle(({ apiMs }) => apiMs).toFixed(1)} ms`,
      `${middle(({ plainMs }) => plainMs).toFixed(1)} ms`,
      ratio.toFixed(2),
      `≤ ${mostOfCompare} ${verdict(ratio <= mostOfCompare)}`,
      `${lateness(({ apiLoop }) => apiLoop)} (≤ ${mostLate.p99Ms} / ${mostLate.mostMs})`,
      lateness(({ plainLoop }) => plainLoop),
      share.toFixed(2),
      `≤ ${mostLate.ofPlain} ${verdict(share <= mostLate.ofPlain)}`,
    ],
  ])}`;
}

const mostGrowth = 1.5;

/** The cost of a list while the trail grows, in time and in blocks; on a busy machine only the blocks are reliable. */
export function reportLists(what: string, lists: readonly ListMeasured[], sizes: readonly [number, number]): string {
  const head = [what, ...sizes.map((size) => `AT ${size}`), 'GROWTH', 'BLOCKS', 'GROWTH', 'MATCHES', 'TARGET'];
  const rows = lists.map(({ name, ms, blocks, matches }) => [
    name,
    ...ms.map((one) => `${one.toFixed(1)} ms`),
    (ms[1] / ms[0]).toFixed(2),
    blocks.join(' → '),
    (blocks[1] / blocks[0]).toFixed(2),
    matches.join(' → '),
    `≤ ${mostGrowth} ${verdict(ms[1] / ms[0] <= mostGrowth)}`,
  ]);
  return `\n${columns([head, ...rows])}`;
}
