import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openLane, type Lane } from '../../crash/lane.ts';
import { startServers, type Servers } from '../../crash/servers.ts';
import { crossfire } from './crossfire.ts';

/**
 * A short one; `npm run tools -- simulate --verbs 10000` is a long one. `SEED=… npm test -- test/simulation/verbs`
 * repeats it.
 */
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const operations = Number(process.env['VERBS'] ?? 150);

let servers: Servers | undefined;
let lane: Lane | undefined;
beforeAll(async () => {
  servers = await startServers();
  lane = await openLane(servers.temporalAddress, { twins: true });
});
afterAll(async () => {
  await lane?.close();
  await servers?.stop();
});

test(`no order gives back more than it took, whatever is done to it (seed ${seed})`, async () => {
  const report = await crossfire({ lane: lane!, seed, operations, hands: 4, deaths: 2 });

  console.log(`crossfire seed=${seed}: ${JSON.stringify(report)}`);
  expect(report.wrong).toEqual([]);
  expect(report.orders).toBeGreaterThan(0);
});
