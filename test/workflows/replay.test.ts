import { afterAll, beforeAll, expect, test } from 'vitest';
import { readdirSync, readFileSync } from 'node:fs';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';

/**
 * Every history ever recorded replays on today's code. Replay compares the order, kind and name of commands; it is no
 * behaviour test.
 */
const folder = new URL('./histories/', import.meta.url);
const histories = readdirSync(folder).filter((file) => file.endsWith('.json'));
const workflowBundle = { codePath: process.env['TEST_BUNDLE'] ?? '' };

const load = (file: string) => JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
const startOf = (history: {
  events: { workflowExecutionStartedEventAttributes: { workflowId: string; workflowType: { name: string } } }[];
}) => history.events[0]!.workflowExecutionStartedEventAttributes;

/** Why each history could not be replayed; undefined where it could. One worker replays all: a start takes longest. */
const replayed = new Map<string, Error | undefined>();

beforeAll(async () => {
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { filter: 'OFF', forward: {} } },
  });
  const all = histories.map(load).map((history) => ({ history, workflowId: startOf(history).workflowId }));
  const left = [...histories];
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, all))
    replayed.set(left.shift() ?? '', error);
});
afterAll(() => Runtime.instance().shutdown());

test.each(histories)('%s replays', (file) => {
  expect([...replayed.keys()]).toContain(file);
  expect(replayed.get(file)).toBeUndefined();
});

test('a change of what a workflow does is noticed', async () => {
  const text = readFileSync(new URL('return-card-closed.json', folder), 'utf8');
  const changed = JSON.parse(text.replaceAll('"refundThroughGateway"', '"refundThroughBank"'));
  await expect(Worker.runReplayHistory({ workflowBundle }, changed, 'return-1')).rejects.toThrow(/nondeterminism/i);
});

test('every workflow has a recorded history', () => {
  const recorded = new Set(histories.map((file) => startOf(load(file)).workflowType.name));
  const source = readFileSync(new URL('../../workflows/index.ts', import.meta.url), 'utf8');
  const exported = [...source.matchAll(/export \{ (\w+) \}/g)].map(([, name]) => name!);
  expect([...recorded].toSorted()).toEqual(exported.toSorted());
});
