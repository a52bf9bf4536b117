import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openLane, type Lane } from '../../crash/lane.ts';
import { startServers, type Servers } from '../../crash/servers.ts';
import { crashFlows } from '../../crash/flows/index.ts';
import { drillBuilds } from './builds.ts';
import { drillRolling } from './card-rush.ts';
import { runDrill } from './drill.ts';
import { drillFlows } from './flows-in-trouble.ts';
import { drillLoop, workNames } from './late-loop.ts';
import { laneOf } from './run-drills.ts';
import { troubleNames } from './trouble.ts';

/** A short drill; `npm run tools -- simulate --drill all --seconds 40` is a long one. */
let servers: Servers | undefined;
let lane: Lane | undefined;
beforeAll(async () => {
  // A database of our own: the one that all tests share must not stand still.
  delete process.env['TEST_POSTGRES'];
  servers = await startServers();
  lane = await openLane(servers.temporalAddress);
});
afterAll(async () => {
  await lane?.close();
  await servers?.stop();
});

/** By hand every flow runs in every trouble: `npm run tools -- simulate --drill all --seconds 60`. */
test.each(['temporal-frozen', 'worker-frozen', 'no-worker', 'older-worker'] as const)(
  '%s: returns, refunds and layaways end once and rightly, and every register has an answer in time',
  async (trouble) => {
    const flows = crashFlows.filter(({ id }) => ['F1', 'F2', 'F6', 'F7', 'F14', 'F38'].includes(id));
    const report = await drillFlows({ lane: lane!, servers: servers!, seconds: 5, trouble, flows });

    console.log(`drill ${trouble}: ${JSON.stringify(report)}`);
    expect(report.wrong).toEqual([]);
    expect(report.flows).toBe(6);
  },
);

/** With every flow, and the rest of a deployment: `npm run tools -- simulate --drill builds`. */
test('two builds beside each other, rolled forward and back, one lost: every flow ends rightly, and nothing is stuck', async () => {
  const own = await openLane(servers!.temporalAddress, laneOf('builds'));
  const flows = crashFlows.filter(({ id }) => ['F2', 'F3', 'F5a', 'F35', 'F41'].includes(id));
  const report = await drillBuilds(own, flows);
  await own.close();

  console.log(`drill builds: ${JSON.stringify(report)}`);
  expect(report.wrong).toEqual([]);
  expect(report.flows).toBe(15);
  expect(report.crossed).toBeGreaterThan(0);
  expect(report.stayed).toMatchObject({ mailWorkflow: expect.any(Number), bulkWorkflow: expect.any(Number) });
  expect(report.wentOn).toMatchObject({
    returnWorkflow: expect.any(Number),
    refundAttemptWorkflow: expect.any(Number),
  });
});

test('workers and APIs are replaced under card refunds: none comes into doubt', async () => {
  const twins = await openLane(servers!.temporalAddress, laneOf('rolling'));
  const report = await drillRolling(twins, 24);
  await twins.close();

  console.log(`drill rolling: ${JSON.stringify(report)}`);
  expect(report).toMatchObject({ wrong: [], given: 24, doubts: 0 });
});

test('while heavy work is under way the API answers others in between, and all of the work is done', async () => {
  const only = workNames.filter((name) => /bulk of|picture|telemetry|sign in/.test(name));
  const watched = await openLane(servers!.temporalAddress, laneOf('loop'));
  const report = await drillLoop({ lane: watched, share: 0.1, seconds: 1, only });
  await watched.close();

  console.log(`drill loop: ${JSON.stringify(report)}`);
  expect(report.wrong).toEqual([]);
  expect(Object.keys(report.works)).toHaveLength(4);
  for (const { answeredBetween } of Object.values(report.works)) expect(answeredBetween).toBeGreaterThan(0);
});

test.each(troubleNames)(
  '%s: every request is answered, nothing that was acknowledged is lost, and the books are right',
  async (trouble) => {
    const report = await runDrill({
      lane: lane!,
      trouble,
      seconds: 6,
      registers: 2,
      salesEach: 3,
      quietSeconds: 1,
      postgresPid: servers!.postgresPid ?? 0,
    });

    console.log(`drill ${trouble}: ${JSON.stringify(report)}`);
    expect(report.wrong).toEqual([]);
    expect(report.acknowledged).toBeGreaterThan(0);
  },
);
