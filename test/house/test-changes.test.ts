import { existsSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { testsOf } from '../support/test-changes.ts';
import { sourcesOf } from './sources.ts';

/** What `npm run check:fast` runs. */

test.each([
  [
    'db/refunds/refund-intent.ts',
    [
      'activities/refunds',
      'api/refunds',
      'db/refunds',
      'domain/refunds',
      'providers/gateways',
      'workflows/refunds',
      'workflows/document-refunds-in-trouble.test.ts',
    ],
  ],
  ['workflows/returns.ts', ['activities/returns', 'api/returns', 'db/process', 'db/returns', 'workflows/returns']],
  ['domain/layaways.ts', ['activities/layaways', 'api/layaways', 'db/layaways', 'workflows/layaways']],
  ['providers/gateways/findings.ts', ['providers/gateways', 'activities/refunds', 'workflows/refunds']],
  ['db/verdicts/record-finding.ts', ['db/verdicts', 'activities/refunds']],
])('a change of %s runs the rooms of its feature in every layer', (changed, rooms) => {
  expect(testsOf([changed])).toEqual(expect.arrayContaining(rooms.map((room) => `test/${room}`)));
});

test('a change of a list runs its own room and that of its routes, and no more', () => {
  const rooms = ['test/api/platform/sales-rules', 'test/db/platform/sales-rules'];
  expect(testsOf(['db/platform/sales-rules/coupons.ts'])).toEqual(rooms);
});

test('a change of settings runs what asks for their words and for the schema of the shop file', () => {
  expect(testsOf(['domain/configuration/setting-defaults.ts'])).toEqual(
    expect.arrayContaining(['test/cli/money-commands.test.ts', 'test/cli/shop']),
  );
});

test('a changed test runs alone; a room within a room is named once', () => {
  expect(testsOf(['test/cli/pos.test.ts', 'README.md'])).toEqual(['test/cli/pos.test.ts']);
  expect(
    testsOf(['api/returns/ask-return.ts', 'api/returns/rmas/a.ts']).filter((room) => /returns\//.test(room)),
  ).toEqual([]);
});

test('no file that moves money has only the rooms of its own layer', () => {
  const watched = /^(?:db|workflows|activities)\/(?:refunds|returns|process|verdicts|layaways|credits)\//;
  const files = sourcesOf('db', 'workflows', 'activities').map(({ path }) => path);
  const moving = files.filter((path) => watched.test(path) && existsSync(path));
  expect(moving.length).toBeGreaterThan(60);
  const layersOf = (path: string) => new Set(testsOf([path]).map((room) => room.split('/')[1]));
  expect(moving.filter((path) => layersOf(path).size < 4)).toEqual([]);
});
