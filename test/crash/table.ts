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
export function tableOf(tallies: readonly FlowTally[]): string {
  const rows = tallies.map(({ flow, named, tried }) => rowOf(flow.id, flow.title, named, tried));
  const all = rowOf(
    'all',
    '',
    tallies.reduce((sum, { named }) => sum + named, 0),
    tallies.flatMap(({ tried }) => tried),
  );
  return [heads, ...rows, all]
    .map((cells) =>
      cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 8))
        .join(' ')
        .trimEnd(),
    )
    .join('\n');
}

function rowOf(id: string, title: string, named: number, tried: readonly Tried[]): string[] {
  const passed = tried.filter(({ outcome }) => outcome === 'passed').length;
  const failed = tried.filter(({ outcome }) => outcome === 'failed').length;
  const covered = named === 0 ? 0 : Math.floor((100 * (passed + failed)) / named);
  return [id, title, String(named), String(passed + failed), String(passed), String(failed), `${covered} %`];
}
