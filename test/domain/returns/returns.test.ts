import { expect, test } from 'vitest';
import { pieces } from '../../../domain/money/quantity.ts';
import { refundMethods, settleMethods, shownMethod } from '../../../domain/returns/refund-method.ts';
import { isTerminal, openStatuses, returnStatuses, terminalStatuses } from '../../../domain/returns/return-status.ts';
import { canSettle } from '../../../domain/returns/settle-rules.ts';
import { routeReturnedLine, type InspectedLine } from '../../../domain/returns/stock-routing.ts';

test('every status is open or final, and never both', () => {
  expect([...openStatuses, ...terminalStatuses].toSorted()).toEqual([...returnStatuses].toSorted());
  expect(openStatuses.filter(isTerminal)).toEqual([]);
  expect(terminalStatuses.every(isTerminal)).toBe(true);
});

test.each([
  ['awaiting_refund', true],
  ['items_received', true],
  ['received', true],
  ['pending', false],
  ['approved', false],
  ['closed', false],
] as const)('a return that is %s may be settled: %s', (status, expected) => {
  expect(canSettle(status)).toBe(expected);
});

test('a return shows how its money goes back in the words of the interface; a card refunded by hand was at its terminal', () => {
  expect([...settleMethods, null].map(shownMethod)).toEqual([...refundMethods, 'terminal', null]);
});

const inspected = (given: Partial<InspectedLine>): InspectedLine => ({
  inspectedCondition: null,
  returnToStock: true,
  qtyRequested: pieces(2),
  qtyReceived: null,
  targetSourceCode: null,
  ...given,
});
const places = { originSourceCode: 'floor', damagedSourceCode: 'damaged' };

test.each([
  [
    'pristine goods go back where they came from',
    { inspectedCondition: 'pristine' },
    { kind: 'source', sourceCode: 'floor', qty: pieces(2) },
  ],
  ['uninspected goods count as pristine', {}, { kind: 'source', sourceCode: 'floor', qty: pieces(2) }],
  [
    'damaged goods go to the damaged shelf',
    { inspectedCondition: 'damaged' },
    { kind: 'source', sourceCode: 'damaged', qty: pieces(2) },
  ],
  ['goods to dispose of are written off', { inspectedCondition: 'dispose' }, { kind: 'written_off', qty: pieces(2) }],
  ['goods kept out of stock are written off', { returnToStock: false }, { kind: 'written_off', qty: pieces(2) }],
  [
    'a named source overrules',
    { inspectedCondition: 'damaged', targetSourceCode: 'repair' },
    { kind: 'source', sourceCode: 'repair', qty: pieces(2) },
  ],
  [
    'never more than was asked for',
    { qtyReceived: pieces(5) },
    { kind: 'source', sourceCode: 'floor', qty: pieces(2) },
  ],
  [
    'what was not received is not restocked',
    { qtyReceived: pieces(1) },
    { kind: 'source', sourceCode: 'floor', qty: pieces(1) },
  ],
] as const)('%s', (_sentence, line, destination) => {
  expect(routeReturnedLine(inspected(line), places)).toEqual(destination);
});

test('damaged goods without a shelf for them have no place', () => {
  const line = inspected({ inspectedCondition: 'damaged' });
  expect(routeReturnedLine(line, { originSourceCode: 'floor', damagedSourceCode: null })).toEqual({
    kind: 'unknown',
    condition: 'damaged',
  });
});
