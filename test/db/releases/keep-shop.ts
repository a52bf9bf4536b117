import { aParkedReturn, aSale, returnBody } from '../../crash/cashier.ts';
import type { FlowRun } from '../../crash/crash-flow.ts';
import { untilQuiet } from '../../crash/examine.ts';
import { crashFlows } from '../../crash/flows/index.ts';
import { openLane, type Lane } from '../../crash/lane.ts';
import { startServers } from '../../crash/servers.ts';
import { evening } from '../../simulation/evening.ts';
import { findWrong } from '../../simulation/find-wrong.ts';
import { keepShop, keptShopFile } from '../../support/kept-shop.ts';

/**
 * `node test/db/releases/keep-shop.ts 2.0.0`: a shop of this release, in which every flow of a register was under way
 * once, and some things are open. Later releases upgrade it (`test/db/upgrade.test.ts`).
 */
const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Say which release: keep-shop.ts 2.0.0');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const parkedReturns = 8;
/** The gateway gives the money back, its answer is lost, and it cannot be asked. */
const answerLost = '12.73';

const servers = await startServers({ isPatient: true });
const lane = await openLane(servers.temporalAddress, { environment: { GATEWAY_TIMEOUT_SECONDS: '4' } });
const wrong = await trade();
for (const line of wrong) console.error(`WRONG ${line}`);
if (wrong.length === 0) await keep();
await lane.close();
await servers.stop();
process.exit(wrong.length === 0 ? 0 : 1);

/** On a busy machine a flow may end in another way that is allowed; the books hold however it ended. */
async function trade(): Promise<string[]> {
  const otherEnds: string[] = [];
  const runs: { id: string; run: FlowRun }[] = [];
  for (const flow of crashFlows) if (!flow.isAlone) runs.push({ id: flow.id, run: await flow.prepare(lane) });
  await Promise.all(
    runs.map(({ id, run }) => run.go().catch((error: unknown) => otherEnds.push(`${id}: ${String(error)}`))),
  );
  await evening(lane);
  for (const { id, run } of runs) {
    await untilQuiet(lane, run);
    otherEnds.push(...(await run.faults()).map((fault) => `${id}: ${fault}`));
  }
  for (const line of otherEnds) console.error(line);
  return findWrong(lane);
}

async function keep(): Promise<void> {
  const parked: number[] = [];
  for (let at = 0; at < parkedReturns; at++) parked.push(await aParkedReturn(lane, await aSale(lane, '12.00')));
  const doubt = await aDoubt(lane);
  const facts = { token: lane.token, locationId: lane.shop.locationId, parked, doubt };
  const file = keptShopFile(version);
  await Promise.all(Object.values(lane.processes).map((one) => one.stop('SIGTERM')));
  await keepShop(String(lane.orm.config.get('clientUrl')), file, facts);
  console.log(`Kept the shop in ${file}: ${parked.length} returns wait, a refund is in doubt, the books hold.`);
}

async function aDoubt({ orm, teller }: Lane): Promise<number> {
  const sale = await aSale(lane, answerLost);
  await teller.press('POST', '/V1/pos/rma', returnBody(lane, sale, { refundMethod: 'original_payment' }));
  const [row] = await orm.em
    .fork()
    .execute<{ attempt_id: number; state: string }[]>(
      'select attempt_id, state from refund_attempt order by attempt_id desc limit 1',
    );
  if (row?.state !== 'uncertain') throw new Error(`no doubt came of it: ${JSON.stringify(row)}`);
  return row.attempt_id;
}
