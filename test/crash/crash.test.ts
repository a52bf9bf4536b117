import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Chance, chanceOf } from '../simulation/random.ts';
import type { CrashFlow } from './crash-flow.ts';
import { crashFlows } from './flows/index.ts';
import { type CrashPoint, describePoint, findPoints, FreshLane, type Tried, tryPoint } from './points.ts';
import { type Servers, startServers } from './servers.ts';
import { type FlowTally, renewedTable, tableOf } from './table.ts';

describe('crash points', () => {
  /**
   * A few points of the crash matrix, others each day; `node test/crash/main.ts` is the whole. `SEED=…` repeats a day,
   * `CRASH_POINTS=…`, `CRASH_LANES=…` and `CRASH_SECONDS=…` make it longer. However slow the machine is, at least one
   * point fires.
   */
  const millisecondsADay = 86_400_000;
  const seed = Number(process.env['SEED'] ?? Math.floor(Date.now() / millisecondsADay));
  const seconds = Number(process.env['CRASH_SECONDS'] ?? 30);
  const flowsADay = 2;
  const pointsADay = Number(process.env['CRASH_POINTS'] ?? 3);
  const lanesADay = Number(process.env['CRASH_LANES'] ?? 1);

  let servers: Servers | undefined;
  let lanes: FreshLane[] = [];
  beforeAll(async () => {
    const { temporalAddress } = (servers = await startServers());
    lanes = Array.from({ length: lanesADay }, () => new FreshLane(temporalAddress));
  });
  afterAll(async () => {
    await Promise.allSettled(lanes.map((lane) => lane.drop()));
    await servers?.stop();
  });

  const shuffled = <Thing>(things: readonly Thing[], chance: Chance): Thing[] =>
    things
      .map((thing) => ({ thing, at: chance.below(1_000_000) }))
      .toSorted((one, other) => one.at - other.at)
      .map(({ thing }) => thing);

  test(`a process may die at any step of a flow: the books stay right and nothing is lost (seed ${seed})`, async () => {
    const until = Date.now() + seconds * 1000;
    const chance = chanceOf(seed);
    const flows = shuffled(crashFlows, chance).slice(0, flowsADay);
    const lane = await lanes[0]!.get();
    const waiting: { flow: CrashFlow; point: CrashPoint; at: number }[] = [];
    for (const flow of flows)
      waiting.push(...(await findPoints(lane, flow)).map((point) => ({ flow, point, at: chance.below(1_000_000) })));
    waiting.sort((one, other) => one.at - other.at);
    const tried: Tried[] = [];
    const isEnough = () =>
      tried.some(({ outcome }) => outcome !== 'missed') && (tried.length >= pointsADay || Date.now() > until);

    await Promise.all(
      lanes.map(async (place) => {
        for (let next = waiting.shift(); next && !isEnough(); next = waiting.shift())
          tried.push(await tryPoint(await place.get(), next.flow, next.point));
      }),
    );

    console.log(
      `crash matrix seed=${seed}: ${tried.length} points of ${flows.map(({ id }) => id).join(', ')}, ${waiting.length} left`,
    );
    const failed = tried.filter(({ outcome }) => outcome === 'failed');
    expect(failed.map(({ point, faults }) => ({ point: describePoint(point), faults }))).toEqual([]);
    expect(tried.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(0);
  });
});

describe('table', () => {
  const flow = (id: string): CrashFlow => ({
    id,
    title: `what ${id} does`,
    processes: ['api'],
    prepare: neverPrepared,
  });
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
});
