import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openLane, type Lane } from '../crash/lane.ts';
import { startServers, type Servers } from '../crash/servers.ts';
import { simulateDay } from './day.ts';

/**
 * A short day; `node test/simulation/main.ts --seed N --steps M` is a long one. `SEED=… npm test -- test/simulation`
 * repeats it, `REGISTERS` and `STEPS` make it longer.
 */
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
const registers = Number(process.env['REGISTERS'] ?? 4);
const steps = Number(process.env['STEPS'] ?? 4);

let servers: Servers | undefined;
let lane: Lane | undefined;
beforeAll(async () => {
  servers = await startServers();
  lane = await openLane(servers.temporalAddress);
});
afterAll(async () => {
  await lane?.close();
  await servers?.stop();
});

test(`a day at ${registers} registers ends with clean books (seed ${seed})`, async () => {
  const report = await simulateDay({ lane: lane!, seed, registers, steps, deaths: 2 });

  console.log(`simulation seed=${seed}: ${JSON.stringify(report)}`);
  expect(report.wrong).toEqual([]);
  expect(report.returns).toBeGreaterThan(0);
});
