import { describe, expect, test } from '@jest/globals';
import { shopSettings } from '../../../domain/configuration/setting-defaults.ts';
import { PosError } from '../../../domain/errors.ts';
import { none, pieces } from '../../../domain/money.ts';
import {
  arrivedOf,
  refundMethods,
  settleMethods,
  shownMethod,
  describeResolutions,
  isRefunded,
  methodOfResolutions,
  settledStatus,
  routeReturnedLine,
  type SettleMethod,
  type ResolutionMode,
  type InspectedLine,
} from '../../../domain/returns/resolution.ts';
import {
  methodOfProcess,
  optionOfProcess,
  whoRan,
  conditionLabelOf,
  inspectionOf,
  builtInOptions,
  isTerminal,
  moveByHand,
  movesByHand,
  openStatuses,
  returnStatuses,
  terminalStatuses,
  returnToBuyer,
  canSettle,
  refuseUnlessParked,
  type ReturnStatus,
  type TakenIn,
} from '../../../domain/returns/return-status.ts';
import {
  eligibilityOf,
  noObjection,
  objectionTo,
  returnRules,
  type Judgement,
  type SoldLine,
  type ReturnRules,
} from '../../../domain/returns/eligibility.ts';
import { noRules } from '../../support/builders/return-rules.ts';

describe('arrived', () => {
  test.each([
    ['all were shipped and lie on the counter', { shipped: 3, cameBack: 0, requested: 2, received: 2 }, [2, 0, 0]],
    ['one of the shipped ones did not come', { shipped: 3, cameBack: 0, requested: 2, received: 1 }, [1, 0, 0]],
    ['none was shipped', { shipped: 0, cameBack: 0, requested: 2, received: 2 }, [0, 2, 2]],
    ['none was shipped and nobody looked', { shipped: 0, cameBack: 0, requested: 2, received: 0 }, [0, 0, 2]],
    ['one was shipped, and it came', { shipped: 1, cameBack: 0, requested: 2, received: 1 }, [1, 0, 1]],
    ['one was shipped, and both were looked at', { shipped: 1, cameBack: 0, requested: 2, received: 2 }, [1, 1, 1]],
    ['the shipped ones are back already', { shipped: 2, cameBack: 2, requested: 1, received: 1 }, [0, 1, 1]],
    [
      'two were shipped after one came back unshipped',
      { shipped: 2, cameBack: 0, requested: 2, received: 2 },
      [2, 0, 0],
    ],
  ] as const)('%s', (_sentence, { shipped, cameBack, requested, received }, [came, lookedAt, neverShipped]) => {
    expect(
      arrivedOf(
        { requested: pieces(requested), received: pieces(received) },
        { isVirtual: false, qtyShipped: pieces(shipped), qtyCameBack: pieces(cameBack) },
      ),
    ).toEqual({ cameBack: pieces(came), lookedAt: pieces(lookedAt), neverShipped: pieces(neverShipped) });
  });

  test('goods without stock management count as shipped', () => {
    const line = { isVirtual: true, qtyShipped: none, qtyCameBack: none };
    expect(arrivedOf({ requested: pieces(2), received: pieces(1) }, line)).toEqual({
      cameBack: pieces(1),
      lookedAt: none,
      neverShipped: none,
    });
  });
});

describe('collapsed return', () => {
  test.each([
    ['refund', true, 'original_payment'],
    ['refund', false, 'cash'],
    ['store_credit', true, 'store_credit'],
    ['store_credit', false, 'store_credit'],
    ['exchange', true, 'exchange'],
    ['exchange', false, 'exchange'],
  ] as const)('%s, online %s: the money goes back by %s', (resolution, isOnline, method) => {
    expect(methodOfProcess({ resolution, isOnline })).toBe(method);
  });

  test.each([
    ['refund', 'Refund'],
    ['store_credit', 'Store Credit'],
    ['exchange', 'Exchange'],
  ] as const)('%s is the provider’s option "%s"', (resolution, label) => {
    const { resolutions } = builtInOptions('');
    expect(optionOfProcess(resolution, resolutions)?.label).toBe(label);
    expect(optionOfProcess(resolution, [])).toBeUndefined();
  });

  test.each([
    ['builtin', 'taken', 'the returns provider "builtin"'],
    ['warehouse', 'asking', 'the returns provider "warehouse"'],
    ['warehouse', 'passed', 'the core refund'],
    [null, 'asking', 'the core refund'],
  ] as const)('a run of %s, %s, is laid to %s', (providerCode, stage, who) => {
    expect(whoRan(providerCode, stage)).toBe(who);
  });

  const rulesOf = (values: Record<string, string>) =>
    returnRules(
      shopSettings(
        new Map(Object.entries(values).map(([name, value]) => [`vendor_pos_advanced/returns/${name}`, value])),
      ),
    );

  test('a shop that set nothing has no rules but the quantity', () => {
    expect(rulesOf({})).toEqual(noRules);
  });

  test('rules are read as they were meant', () => {
    expect(
      rulesOf({
        period_days: '30',
        resolutions: 'Refund, Exchange',
        resolution_periods: 'Refund:14, Exchange:60,Store Credit:often',
        final_sale_percent: '49.5',
      }),
    ).toEqual({
      periodDays: 30,
      resolutionIds: ['Refund', 'Exchange'],
      resolutionPeriods: [
        { resolutionId: 'Refund', periodDays: 14 },
        { resolutionId: 'Exchange', periodDays: 60 },
        { resolutionId: 'Store Credit', periodDays: 0 },
      ],
      finalSalePercent: 49.5,
    });
    expect(rulesOf({ period_days: '-3', final_sale_percent: 'half' })).toEqual(noRules);
  });
});

describe('eligibility', () => {
  const sold = (given: Partial<SoldLine> = {}): SoldLine => ({
    orderItemId: 1,
    name: 'Mug',
    qtyInvoiced: pieces(3),
    qtyRefunded: none,
    qtyInReturns: none,
    isReturnable: true,
    handedOverAt: null,
    percentOff: 0,
    ...given,
  });

  const orderedAt = new Date('2026-01-01T12:00:00Z');
  const afterDays = (days: number) => new Date(orderedAt.getTime() + days * 86_400_000);

  interface Case {
    lines?: readonly SoldLine[];
    rules?: Partial<ReturnRules>;
    daysLater?: number;
    verdict?: Judgement['verdict'];
  }

  const judged = ({ lines = [sold()], rules = {}, daysLater = 0, verdict = noObjection }: Case) =>
    eligibilityOf({
      order: { orderedAt, isUnsettledLayaway: false, lines },
      rules: { ...noRules, ...rules },
      resolutionIds: ['Refund', 'Exchange', 'Store Credit'],
      verdict,
      now: afterDays(daysLater),
    });

  describe('what of a line may come back', () => {
    const window = { periodDays: 30 };
    const longer = { periodDays: 30, resolutionPeriods: [{ resolutionId: 'Exchange', periodDays: 60 }] };
    const refundsOnly = { resolutionIds: ['Refund'] };

    test.each<[string, Case, string | null, readonly string[] | null]>([
      ['a fresh line, nothing set', {}, null, null],
      ['nothing left of it', { lines: [sold({ qtyRefunded: pieces(3) })] }, 'quantity', []],
      ['all of it coming back already', { lines: [sold({ qtyInReturns: pieces(3) })] }, 'quantity', []],
      ['a product that stays sold', { lines: [sold({ isReturnable: false })] }, 'not_returnable', []],
      ['on the last day of its window', { rules: window, daysLater: 30.9 }, null, null],
      ['a day after its window', { rules: window, daysLater: 31 }, 'outside_period', []],
      ['a window of no days is none', { rules: { periodDays: 0 }, daysLater: 9_999 }, null, null],
      [
        'the window begins when it was handed over',
        { rules: window, daysLater: 40, lines: [sold({ handedOverAt: afterDays(15) })] },
        null,
        null,
      ],
      ['a list of resolutions', { rules: refundsOnly }, null, ['Refund']],
      ['a list that was typed in small letters', { rules: { resolutionIds: ['refund'] } }, null, ['Refund']],
      [
        'a window whose resolution was typed in small letters',
        { rules: { resolutionPeriods: [{ resolutionId: 'refund', periodDays: 7 }] }, daysLater: 8 },
        null,
        ['Exchange', 'Store Credit'],
      ],
      ['within every window', { rules: longer, daysLater: 10 }, null, ['Refund', 'Exchange', 'Store Credit']],
      ['within the longer window only', { rules: longer, daysLater: 45 }, null, ['Exchange']],
      ['after the longest window', { rules: longer, daysLater: 61 }, 'outside_period', []],
      [
        'a shorter window of one resolution',
        { rules: { resolutionPeriods: [{ resolutionId: 'Refund', periodDays: 7 }] }, daysLater: 8 },
        null,
        ['Exchange', 'Store Credit'],
      ],
      ['the vendor says no to it', { verdict: { order: null, lines: { 1: 'Hygiene.' } } }, 'vendor_rule', []],
      ['a bargain', { rules: { finalSalePercent: 50 }, lines: [sold({ percentOff: 50 })] }, 'vendor_rule', []],
      ['less of a bargain', { rules: { finalSalePercent: 50 }, lines: [sold({ percentOff: 49.99 })] }, null, null],
    ])('%s', (_case, given, reasonCode, allowedResolutionIds) => {
      expect(judged(given).lines[0]).toMatchObject({
        outcome: reasonCode === null ? 'allowed' : 'forbidden',
        reasonCode,
        allowedResolutionIds,
      });
    });

    test('what is refunded or already coming back is not returnable again', () => {
      const { lines } = judged({ lines: [sold({ qtyRefunded: pieces(1), qtyInReturns: pieces(1) })] });
      expect(lines[0]).toMatchObject({ outcome: 'allowed', qtyReturnable: pieces(1) });
    });
  });

  describe('an order', () => {
    const gone = sold({ qtyRefunded: pieces(3) });
    const final = sold({ orderItemId: 2, isReturnable: false });
    test.each<[string, Case, string | null, string | null]>([
      ['with one line left', { lines: [gone, sold({ orderItemId: 2 })] }, null, null],
      ['with nothing left', { lines: [gone] }, 'quantity', 'Nothing of this order is left to return.'],
      [
        'of which nothing may come back',
        { lines: [gone, final] },
        'not_returnable',
        'Nothing of this order can be returned.',
      ],
      [
        'that is too old',
        { rules: { periodDays: 14 }, daysLater: 20 },
        'outside_period',
        'The return period of 14 days is over.',
      ],
      [
        'the vendor says no to',
        { verdict: { order: 'Blocked account.', lines: {} } },
        'vendor_rule',
        'Blocked account.',
      ],
      ['without lines', { lines: [] }, 'quantity', 'Nothing of this order is left to return.'],
    ])('%s', (_case, given, reasonCode, reason) => {
      expect(judged(given)).toMatchObject({
        outcome: reasonCode === null ? 'allowed' : 'forbidden',
        reasonCode,
        reason,
        periodDays: given.rules?.periodDays ?? 0,
      });
    });
  });

  describe('a wanted return', () => {
    const want = (count: number, resolutionId: string | null = 'Refund', orderItemId = 1) => ({
      orderItemId,
      qty: pieces(count),
      resolutionId,
    });
    const both = [sold(), sold({ orderItemId: 2, isReturnable: false })];
    const longer = { periodDays: 30, resolutionPeriods: [{ resolutionId: 'Exchange', periodDays: 60 }] };

    test.each<[string, Case, readonly ReturnType<typeof want>[], object | undefined]>([
      ['all of it', {}, [want(3)], undefined],
      ['more than was sold', {}, [want(4)], { orderItemId: 1, reasonCode: 'quantity', periodDays: 0 }],
      ['more than was sold, spread over rows', {}, [want(2), want(2)], { orderItemId: 1, reasonCode: 'quantity' }],
      [
        'more than can be counted, spread over rows',
        {},
        Array.from({ length: 91 }, () => want(9_999_999_999)),
        { orderItemId: 1, reasonCode: 'quantity' },
      ],
      ['a line of another order', {}, [want(1, null, 99)], { orderItemId: 99, reasonCode: 'quantity' }],
      [
        'a line that stays sold',
        { lines: both },
        [want(1), want(1, null, 2)],
        { orderItemId: 2, reasonCode: 'not_returnable' },
      ],
      [
        'the only line of an order, used up',
        { lines: [sold({ qtyRefunded: pieces(3) })] },
        [want(1)],
        { orderItemId: 1, reasonCode: 'quantity' },
      ],
      ['an order that is forbidden', { lines: [] }, [want(1)], { orderItemId: 0, reasonCode: 'quantity' }],
      [
        'a resolution that is not on the list',
        { rules: { resolutionIds: ['Exchange'] } },
        [want(1)],
        {
          orderItemId: 1,
          reasonCode: 'resolution_not_allowed',
          resolutionId: 'Refund',
          allowedResolutionIds: ['Exchange'],
        },
      ],
      [
        'a resolution whose window is over',
        { rules: longer, daysLater: 45 },
        [want(1)],
        { reasonCode: 'resolution_not_allowed', periodDays: 30, allowedResolutionIds: ['Exchange'] },
      ],
      ['a resolution with a longer window', { rules: longer, daysLater: 45 }, [want(1, 'Exchange')], undefined],
      ['no resolution, in time', { rules: longer, daysLater: 10 }, [want(1, null)], undefined],
      [
        'no resolution, late',
        { rules: longer, daysLater: 45 },
        [want(1, null)],
        { reasonCode: 'outside_period', periodDays: 30 },
      ],
      [
        'late, no override',
        { rules: { periodDays: 30 }, daysLater: 45 },
        [want(1)],
        { orderItemId: 0, reasonCode: 'outside_period' },
      ],
    ])('%s', (_case, given, wanted, objection) => {
      const found = objectionTo(judged(given), wanted);
      if (objection === undefined) expect(found).toBeUndefined();
      else expect(found).toMatchObject(objection);
    });
  });
});

describe('resolution', () => {
  const line = (rmaItemId: number, mode: ResolutionMode, refundMethod: SettleMethod | null = null) => ({
    rmaItemId,
    mode,
    refundMethod,
  });

  test.each([
    [null, null, true],
    ['refund', 'cash', true],
    ['store_credit', 'store_credit', true],
    ['exchange', 'exchange', true],
    ['refund', null, false],
    ['repair', null, false],
    ['dispose', null, false],
    ['repair', 'cash', false],
  ] as const)('a line resolved as %s by %s gives its money back: %s', (resolutionMode, refundMethod, expected) => {
    expect(isRefunded({ resolutionMode, refundMethod })).toBe(expected);
  });

  test.each([
    ['every line decided', [{ resolutionMode: 'repair' }, { resolutionMode: 'refund' }], 'resolved'],
    ['one line undecided', [{ resolutionMode: 'repair' }, { resolutionMode: null }], 'closed'],
    ['no decision at all', [{}], 'closed'],
    ['no lines', [], 'closed'],
  ] as const)('with %s a settled return ends %s', (_sentence, lines, status) => {
    expect(settledStatus(lines)).toBe(status);
  });

  test.each([
    ['all repaired', [line(1, 'repair'), line(2, 'dispose')], null],
    ['one refunded', [line(1, 'refund', 'cash'), line(2, 'dispose')], 'cash'],
    ['all refunded alike', [line(1, 'refund', 'terminal'), line(2, 'exchange', 'terminal')], 'terminal'],
    ['refunds without a method', [line(1, 'refund'), line(2, 'refund')], null],
  ] as const)('%s: the money goes back by %s', (_sentence, resolutions, method) => {
    expect(methodOfResolutions([1, 2], resolutions)).toBe(method);
  });

  test.each([
    ['a line without a resolution', [line(1, 'repair')], /line %1 has none/],
    ['a line of another return', [line(1, 'repair'), line(2, 'repair'), line(3, 'repair')], /has no line/],
    ['a line named twice', [line(1, 'repair'), line(1, 'repair'), line(2, 'repair')], /named twice/],
    ['two ways of refunding', [line(1, 'refund', 'cash'), line(2, 'refund', 'terminal')], /settled in one way/],
    ['money for a repair', [line(1, 'repair', 'cash'), line(2, 'repair')], /moves no money/],
  ] as const)('%s is refused', (_sentence, resolutions, message) => {
    expect(() => methodOfResolutions([1, 2], resolutions)).toThrow(message);
  });

  test('the history says what was decided for each line', () => {
    expect(
      describeResolutions([
        { sku: 'MUG', resolutionMode: 'refund', refundMethod: 'cash' },
        { sku: 'PLATE', resolutionMode: 'refund', refundMethod: null },
        { sku: 'LAMP', resolutionMode: 'dispose', refundMethod: null },
      ]),
    ).toBe('Resolved: MUG Refund by cash; PLATE Refund, no money moves; LAMP Dispose, no money moves.');
  });

  test.each([
    ['pristine', 'pristine', undefined],
    ['Unopened', 'pristine', 'Unopened'],
    ['Opened', 'pristine', 'Opened'],
    ['Damaged', 'damaged', 'Damaged'],
    ['damaged', 'damaged', undefined],
    [' dispose ', 'dispose', undefined],
    ['eaten', undefined, undefined],
    ['__proto__', undefined, undefined],
  ])('goods that are %j count as %s, shown as %s', (condition, inspection, label) => {
    expect(inspectionOf(condition)).toBe(inspection);
    expect(conditionLabelOf(condition)).toBe(label);
  });
});

describe('return moves', () => {
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
});

describe('return to buyer', () => {
  const taken = (given: Partial<TakenIn> = {}): TakenIn => ({
    returnItemId: 1,
    sku: 'MUG',
    sourceCode: 'floor',
    qty: pieces(2),
    qtyRequested: pieces(2),
    qtyNeverShipped: none,
    ...given,
  });
  const shelf = (count: number, sourceCode = 'floor') => ({ sku: 'MUG', sourceCode, qty: pieces(count) });

  test.each([
    ['all of it lies there', taken(), [shelf(5)], 2, 0],
    ['one was sold meanwhile', taken(), [shelf(1)], 1, 1],
    ['the shelf is empty', taken(), [shelf(0)], 0, 2],
    ['the shelf is gone', taken(), [shelf(5, 'window')], 0, 2],
    ['it was written off', taken({ sourceCode: null }), [shelf(5)], 2, 0],
    ['one was never handed over', taken({ qtyNeverShipped: pieces(1) }), [shelf(5)], 1, 0],
    ['none was ever handed over', taken({ qtyNeverShipped: pieces(2) }), [shelf(5)], 0, 0],
    ['only the one that was handed over came', taken({ qty: pieces(1), qtyNeverShipped: pieces(1) }), [shelf(5)], 1, 0],
  ] as const)('when %s', (_sentence, line, shelves, out, missing) => {
    expect(returnToBuyer([line], shelves)).toEqual([
      {
        returnItemId: 1,
        sku: 'MUG',
        sourceCode: line.sourceCode,
        qty: pieces(out),
        qtyMissing: pieces(missing),
      },
    ]);
  });

  test('two lines of one product share what lies on the shelf', () => {
    const lines = [taken(), taken({ returnItemId: 2 })];
    expect(returnToBuyer(lines, [shelf(3)]).map(({ qty }) => qty)).toEqual([pieces(2), pieces(1)]);
  });
});

describe('returns', () => {
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
});
