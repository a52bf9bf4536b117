import { describe, expect, test } from 'vitest';
import { PosError } from '../../../domain/errors.ts';
import {
  isTerminal,
  moveByHand,
  movesByHand,
  openStatuses,
  returnStatuses,
  terminalStatuses,
  type ReturnStatus,
} from '../../../domain/returns/return-status.ts';
import { refuseUnlessParked } from '../../../domain/returns/settle-rules.ts';

/** The table of moves by hand, row for row. */
const table: [ReturnStatus, ReturnStatus[]][] = [
  ['pending', ['requested', 'authorized', 'partially_authorized', 'approved', 'rejected', 'denied']],
  ['requested', ['authorized', 'partially_authorized', 'approved', 'rejected', 'denied']],
  ['authorized', ['partially_authorized', 'approved', 'rejected', 'denied']],
  ['partially_authorized', ['authorized', 'approved', 'rejected', 'denied']],
  ['approved', ['rejected', 'denied']],
  ['received', ['received_partially', 'items_received']],
  ['received_partially', ['received', 'items_received']],
  ['items_received', ['received', 'received_partially']],
  ['awaiting_refund', []],
];

const refusalOf = (work: () => unknown): PosError => {
  try {
    work();
  } catch (error) {
    if (error instanceof PosError) return error;
  }
  throw new Error('it was not refused');
};

test.each(table)('a return that is %s may be set by hand to %j, and to nothing else', (from, moves) => {
  expect([...movesByHand[from]].toSorted()).toEqual(moves.toSorted());
  for (const to of returnStatuses) {
    if (to === from || moves.includes(to)) expect(moveByHand(from, to)).toBe(to);
    else expect(refusalOf(() => moveByHand(from, to)).status).toBe(400);
  }
});

test('the table has a row for every open status', () => {
  expect(table.map(([from]) => from).toSorted()).toEqual([...openStatuses].toSorted());
});

test.each(terminalStatuses)('a return that is %s stays so: to set it to anything else is refused', (status) => {
  expect(moveByHand(status, status)).toBe(status);
  for (const to of returnStatuses.filter((other) => other !== status)) {
    const refusal = refusalOf(() => moveByHand(status, to));
    expect(refusal.status).toBe(400);
    expect(refusal.parameters).toEqual([status, to, 'nothing']);
  }
});

test('nothing that moves goods or money is reached by hand: no end but a refusal, no goods before they are received', () => {
  const before = openStatuses.filter((status) => !/received|awaiting/.test(status));
  for (const from of before)
    expect(movesByHand[from].filter((to) => /received|awaiting|resolved|closed/.test(to))).toEqual([]);
  for (const from of openStatuses.filter((status) => !before.includes(status)))
    expect(movesByHand[from].filter(isTerminal)).toEqual([]);
});

describe('a refusal tells the way', () => {
  test('the moves there are', () => {
    const { message, parameters } = refusalOf(() => moveByHand('approved', 'pending'));
    expect(message).toBe('A return in status "%1" cannot be set to "%2". By hand it can be set to: %3.');
    expect(parameters).toEqual(['approved', 'pending', 'rejected, denied']);
  });

  test('the verb that does it', () => {
    const { message, parameters } = refusalOf(() => moveByHand('awaiting_refund', 'closed'));
    expect(message).toContain('the verb "%4" does that');
    expect(parameters).toEqual(['awaiting_refund', 'closed', 'nothing', 'close']);
    expect(refusalOf(() => moveByHand('awaiting_refund', 'received')).parameters).toEqual([
      'awaiting_refund',
      'received',
      'nothing',
      'cancel-refund',
    ]);
  });
});

test('a refund is cancelled where one is parked, and where it was cancelled before', () => {
  const may = returnStatuses.filter((status) => {
    try {
      refuseUnlessParked(status);
      return true;
    } catch {
      return false;
    }
  });
  expect(may).toEqual(['received', 'awaiting_refund']);
});
