import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openLane, type Lane } from '../../crash/lane.ts';
import { startServers, type Servers } from '../../crash/servers.ts';
import { runDrill } from './drill.ts';
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
