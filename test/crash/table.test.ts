import { expect, test } from 'vitest';
import type { CrashFlow } from './crash-flow.ts';
import { renewedTable, tableOf, type FlowTally } from './table.ts';

const flow = (id: string): CrashFlow => ({ id, title: `what ${id} does`, processes: ['api'], prepare: neverPrepared });
const neverPrepared = () => Promise.reject(new Error('nothing is run here'));
const tally = (id: string, named: number, outcomes: ('passed' | 'failed' | 'missed')[]): FlowTally => ({
  flow: flow(id),
  named,
  tried: outcomes.map((outcome, nth) => ({
    point: { flow: id, process: 'api', name: 'commit', nth, variant: 'before' },
    outcome,
    ms: 1,
    faults: [],
  })),
});
const cells = (table: string) => table.split('\n').map((line) => line.split(/ {2,}/));

test('a row says how many points of a flow fired, and how each ended', () => {
  const table = tableOf([tally('F1', 4, ['passed', 'failed', 'missed'])]);
  expect(cells(table)[1]).toEqual(['F1', 'what F1 does', '4', '2', '1', '1', '50 %']);
});

test('a kept row gives way to one that covers as much, and stays before one that covers less', () => {
  const kept = tableOf([tally('F1', 2, ['passed', 'passed']), tally('F10', 2, ['passed'])]);
  const now = renewedTable(kept, [
    tally('F1', 3, ['passed']),
    tally('F10', 3, ['passed', 'passed', 'failed']),
    tally('F2', 5, ['passed']),
    tally('F3', 0, []),
  ]);
  expect(cells(now).slice(1)).toEqual([
    ['F1', 'what F1 does', '2', '2', '2', '0', '100 %'],
    ['F10', 'what F10 does', '3', '3', '2', '1', '100 %'],
    ['F2', 'what F2 does', '5', '1', '1', '0', '20 %'],
    ['all', '10', '6', '5', '1', '60 %'],
  ]);
});
