import { expect, test } from '@jest/globals';
import { sourcesOf } from './sources.ts';

/** Rooms whose tests are about statements: what PostgreSQL says of them, and what becomes of them. */
const rooms = ['test/db/support/', 'test/house/'];

/** Files that need a statement which the readers of `test/support/books.ts` cannot say, and why. */
const files: Readonly<Record<string, string>> = {
  'test/activities/events/deliver-events.test.ts': 'lets time go by for deliveries and their endpoint',
  'test/db/events/many-events.test.ts': 'what statements cost after many rows is its subject',
  'test/db/events/told-by-the-tables.test.ts': 'changes tables in one transaction, past the routes',
  'test/api/events/feed.test.ts': 'takes the oldest events away, as the nightly purge does',
  'test/activities/telemetry/telemetry-activities.test.ts': 'looks for the partitions of a table',
  'test/api/configuration/place-config.test.ts': 'asks a function of the database itself',
  'test/api/http/frozen-database.test.ts': 'ends connections of the server, and reads a text on the wire',
  'test/api/http/hostile-bodies.test.ts': 'what jsonb keeps of a hostile body',
  'test/bench/replay.test.ts': 'recorded statements are its subject',
  'test/books/verify/verify.test.ts': 'breaks the rules on purpose, in a transaction that is rolled back',
  'test/db/gift-cards/move-gift-card.test.ts': 'statements that PostgreSQL must refuse',
  'test/db/grant-app-role.test.ts': 'what the role of the API may not do',
  'test/db/mails/post-mail.test.ts': 'sends a mail between two statements of the service',
  'test/db/migrate.test.ts': 'makes tables as other sources left them',
  'test/db/receipts/read-receipt-view.test.ts': 'looks for a prepared statement',
  'test/db/reward-points/move-points.test.ts': 'statements that PostgreSQL must refuse',
  'test/db/upgrade.test.ts': 'made-up migrations, and what they leave in the database',
  'test/workflows/recover/recover.test.ts': 'a PostgreSQL of its own, its archive, and what it had at a moment',
  'test/worker/observe-worker.test.ts': 'sets a sequence near its end',
  'test/worker/two-clocks.test.ts': 'compares moments by the clock of the database',
  'test/api/credits/refund-to-gift-card.test.ts': 'moves a gift card to another website, which a trigger forbids',
  'test/api/ops/sign-in.test.ts': 'fills the counts of failures',
  'test/api/ops/two-people.test.ts': 'lets a day go by for credentials that were given',
  'test/api/wire/references.test.ts': 'stores a reference as it was stored before references were trimmed',
  'test/db/credits/promised-credit.test.ts': 'lets an hour go by for promised credit',
  'test/db/gift-cards/refund-to-card.test.ts': 'sets time zones, and moments of gift cards that triggers guard',
  'test/db/layaways/days-of-a-website.test.ts': 'sets the time zone of a website, and reads moments in it',
  'test/providers/doctor/check-upkeep.test.ts':
    'sets the recorded version of a sort order, and holds a transaction open',
  'test/db/store-credit/wallet-invariants.test.ts': 'statements that PostgreSQL must refuse',
};

/** Statements begin so; the names of tests ("create a return") do not. */
const openings = [
  /[`'"]\s*(?:select|insert into|delete from|with \w+ as|truncate)\s/gi,
  /[`'"]\s*update\s[^'`]*\bset\s/gi,
  /[`'"]\s*(?:alter|create|drop) (?:or|unique|temp|table|index|function|trigger|role|schema|type|view|extension)\s/gi,
];
const statementsIn = (text: string) => openings.reduce((sum, opening) => sum + (text.match(opening)?.length ?? 0), 0);

const tests = sourcesOf('test').filter(
  ({ path }) => path.endsWith('.test.ts') && !rooms.some((room) => path.startsWith(room)),
);

test('tests ask the books by name; SQL stands only where it is the subject', () => {
  const found = tests.filter(({ text }) => statementsIn(text) > 0).map(({ path }) => path);
  expect(found.filter((path) => !(path in files))).toEqual([]);
  expect(statementsIn("await rows('select 1'); await write(`update product set name = ?`)")).toBe(2);
});

test('a file that needs a statement no more is taken from the list', () => {
  const without = tests.filter(({ path, text }) => path in files && statementsIn(text) === 0).map(({ path }) => path);
  expect(without).toEqual([]);
});
