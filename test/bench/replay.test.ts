import { expect, test } from '@jest/globals';
import { replayOf, type Recorded } from '../../bench/replay.ts';
import { median } from '../../bench/support.ts';

const said = (text: string, values: unknown[], rows: unknown[] = []): Recorded => ({ text, values, rows });

test('a replay asks about another subject, as number, in a text and inside the statement', () => {
  const [step] = replayOf([said(`select 'till-20000001'`, [20_000_001, 'till-20000001', true])], '20000001');

  expect(step!.text([], '20000777')).toBe(`select 'till-20000777'`);
  expect(step!.values([], '20000777')).toEqual([20_000_777, 'till-20000777', true]);
});

test('what an earlier statement brought is what it brings this time, however deep it lies', () => {
  const steps = replayOf(
    [
      said('select nextval', [], [{ order_id: 40_000_001, item_ids: [67_500_001, 67_500_002], number: '000000001' }]),
      said('insert', ['[{"entity_id":40000001,"items":[67500002],"increment_id":"000000001"}]']),
      said('select', [40_000_001]),
    ],
    '900000001',
  );
  const live = [[{ order_id: 40_000_009, item_ids: [67_500_018, 67_500_019], number: '000000009' }]];

  expect(steps[1]!.values(live, '')).toEqual([
    '[{"entity_id":40000009,"items":[67500019],"increment_id":"000000009"}]',
  ]);
  expect(steps[2]!.values(live, '')).toEqual([40_000_009]);
});

test('the path does not say who is asking', () => {
  expect(replayOf([said('select t.user_id from access_token t', ['digest']), said('select 1', [])], '0')).toHaveLength(
    1,
  );
});

test('the store view in front of a path is not part of it; a path may itself ask for store views', () => {
  const scopes = said(
    'select v.store_id, v.website_id, v.code\n     from store_view v join website w using (website_id)',
    [],
  );
  const own = said(
    'select s.website_id from (select 1) always, (select 1 from store_view v join website w on true) s',
    [],
  );
  expect(replayOf([scopes, own], '0')).toHaveLength(1);
});

test('values without marks stay what they are', () => {
  const when = { deep: [1, null, '2026-11-20'] };
  const [step] = replayOf([said('select', [when, null, 0.5])], '20000001');

  expect(step!.values([], '20000002')).toEqual([when, null, 0.5]);
});

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 2, 3], 2.5],
  [[7], 7],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});
