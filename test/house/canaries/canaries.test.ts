import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { secretKey } from '../../support/builders/counter.ts';
import { finishReturn } from '../../support/builders/half-made-return.ts';
import { aFlow, type Flow } from '../../support/flow.ts';
import { allowedAnswers, allowedColumns } from './allowed.ts';
import { businessDay } from './business-day.ts';
import { Canaries } from './canaries.ts';
import type { GivenAnswer } from './teller.ts';
import { everyColumn, everyEvent } from './read-everything.ts';

const canaries = new Canaries();
const lines: string[] = [];
let flow: Flow;
let answers: GivenAnswer[];
let day: Awaited<ReturnType<typeof businessDay>>;

beforeAll(async () => {
  canaries.plant('sealing key', secretKey);
  flow = await aFlow({
    settings: {
      POS_SECRET_KEY: secretKey,
      LICENSE_SERVICE_KEY: canaries.hatch('license service key'),
      LICENSE_SERVICE_URL: 'http://127.0.0.1:9',
    },
    readLog: (line) => lines.push(line),
  });
  for (const [kind, token] of Object.entries(flow.api.tokens)) canaries.plant(`${kind} token`, token);
  day = await businessDay(flow, canaries);
  ({ answers } = day);
});
afterAll(() => flow.close());

test('the day was a real one', () => {
  expect(flow.api.faults).toEqual([]);
  expect(canaries.kinds.length).toBeGreaterThan(20);
  expect(answers.length).toBeGreaterThan(100);
  expect(lines.length).toBeGreaterThan(100);
});

test('a card number is refused wherever a sentence is taken', () => {
  expect(day.cardsTaken).toEqual([]);
});

const notAllowed = (place: string, kinds: readonly string[], allowed: Readonly<Record<string, readonly RegExp[]>>) =>
  kinds.filter((kind) => !allowed[place]?.some((one) => one.test(kind))).map((kind) => `${place}: ${kind}`);

test('answers tell a secret only where that is what they are for', () => {
  const seen = answers.flatMap(({ route, text }) => notAllowed(route, canaries.seenIn(text), allowedAnswers));
  expect([...new Set(seen)].toSorted()).toEqual([]);
});

test('no log line tells one, at any level', () => {
  const seen = lines.flatMap((line) => canaries.seenIn(line).map((kind) => `${kind}: ${line}`));
  expect(seen).toEqual([]);
});

test('the database keeps them sealed, hashed, or not at all', async () => {
  const columns = await everyColumn(flow.api.orm);
  expect(columns.length).toBeGreaterThan(500);
  const seen = columns.flatMap(({ column, text }) => notAllowed(column, canaries.seenIn(text), allowedColumns));
  expect(seen).toEqual([]);
});

test('no workflow’s history tells one', async () => {
  // The routes did all of this return themselves; after a crash its workflow would.
  await finishReturn(flow, day.rmaId);
  for (const id of [`return-${day.rmaId}`, `layaway-${day.layawayId}`]) {
    const text = await everyEvent(flow.client, id);
    expect(text.length).toBeGreaterThan(1_000);
    expect({ id, seen: canaries.seenIn(text) }).toEqual({ id, seen: [] });
  }
});
