import { afterAll, beforeAll, expect, test } from 'vitest';
import { chanceOf, type Chance } from '../simulation/random.ts';
import type { CrashFlow } from './crash-flow.ts';
import { crashFlows } from './flows/index.ts';
import { describePoint, findPoints, FreshLane, tryPoint, type CrashPoint, type Tried } from './points.ts';
import { startServers, type Servers } from './servers.ts';

/**
 * A few points of the crash matrix, others each day; `node test/crash/main.ts` is the whole. `SEED=…` repeats a day,
 * `CRASH_POINTS=…`, `CRASH_LANES=…` and `CRASH_SECONDS=…` make it longer. However slow the machine is, at least one point fires.
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
}, 120_000);
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
}, 600_000);
