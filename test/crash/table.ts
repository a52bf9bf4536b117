import type { CrashFlow } from './crash-flow.ts';
import type { Tried } from './points.ts';

export interface FlowTally {
  flow: CrashFlow;
  /** Points known so far. */
  named: number;
  tried: readonly Tried[];
}

const widths = [5, 58, 8, 8, 8, 8, 8] as const;
const heads = ['flow', 'what the register does', 'named', 'fired', 'passed', 'failed', 'covered'];

/** The matrix as a table: a point that never fired is not covered, and a flow that never ran has none yet. */
export const tableOf = (tallies: readonly FlowTally[]): string => written(tallies.map(countsOf));

/** The kept table with what was tried since: a row gives way to one that covers at least as much of its flow. */
export function renewedTable(kept: string, tallies: readonly FlowTally[]): string {
  const rows = tallies.map(countsOf).map((now) => {
    const before = keptCounts(kept, now.id);
    return before && shareOf(before) > shareOf(now) ? { ...before, title: now.title } : now;
  });
  return written(rows.filter(({ named }) => named > 0));
}

interface Counts {
  id: string;
  title: string;
  named: number;
  passed: number;
  failed: number;
}

const countsOf = ({ flow, named, tried }: FlowTally): Counts => {
  const ended = (wanted: Tried['outcome']) => tried.filter(({ outcome }) => outcome === wanted).length;
  return { id: flow.id, title: flow.title, named, passed: ended('passed'), failed: ended('failed') };
};

/** The row of a flow in a table that was written earlier. */
function keptCounts(kept: string, id: string): Counts | undefined {
  const row = kept.split('\n').find((line) => line.startsWith(`${id} `));
  const [, named, , passed, failed] = /(\d+) +(\d+) +(\d+) +(\d+) +\d+ %$/.exec(row ?? '') ?? [];
  if (named === undefined) return undefined;
  return { id, title: '', named: Number(named), passed: Number(passed), failed: Number(failed) };
}

const shareOf = ({ named, passed, failed }: Counts) => (named === 0 ? 0 : (passed + failed) / named);

function written(rows: readonly Counts[]): string {
  const sum = (of: (row: Counts) => number) => rows.reduce((all, row) => all + of(row), 0);
  const all = {
    ...{ id: 'all', title: '', named: sum(({ named }) => named) },
    ...{ passed: sum(({ passed }) => passed), failed: sum(({ failed }) => failed) },
  };
  return [heads, ...[...rows, all].map(cellsOf)]
    .map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 8))
        .join(' ')
        .trimEnd(),
    )
    .join('\n');
}

function cellsOf(row: Counts): string[] {
  const { id, title, named, passed, failed } = row;
  const covered = Math.floor(100 * shareOf(row));
  return [id, title, String(named), String(passed + failed), String(passed), String(failed), `${covered} %`];
}
