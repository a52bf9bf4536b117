import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../providers/settings.ts';
import { creditDay, layawayDay } from './demo-day/layaway-day.ts';
import { invoiceDay, engravedSale, receiptDay, browse, sell } from './demo-day/sell.ts';
import { kioskDay, openRegister, reportDay } from './demo-day/open-register.ts';
import { customerDisplay, walkShift } from './demo-day/shift.ts';
import { offlineDay } from './demo-day/offline-day.ts';
import { runPos, Teller } from './demo-day/teller.ts';
import { meaningOf, priceOf } from './demo-day/till.ts';
import {
  leaveForTheNight,
  takeBackDeclined,
  takeBackForCash,
  takeBackInDoubt,
  takeBackToCard,
} from './demo-day/take-back.ts';
import type { Ready } from './ready-file.ts';
import { startStack, type Stack } from './stack.ts';
import { credentials } from './demo-shop/stores.ts';
import { toolOptions } from './tool-options.ts';

const say = (line: string) => console.log(line);
const exitByHand = 130;

/** A register's first day, against the running service or one started for it. Exit code 0: everything went well. */
async function main(): Promise<void> {
  const running = await runningService();
  if (running) return theDay(running);
  if (asCurl) throw new Error('No service is running here to send the commands to; start one with npm start.');
  say('No service is running here; starting one for the demo, in a folder of its own.');
  const folder = mkdtempSync(join(tmpdir(), 'pos-demo-'));
  const giveUp = new AbortController();
  let stack: Stack | undefined;
  let forgetting: Promise<void> | undefined;
  const forget = () =>
    (forgetting ??= (stack?.stop() ?? Promise.resolve()).then(() => rmSync(folder, { recursive: true, force: true })));
  // The processes started for the demo have their own process groups, so Ctrl-C reaches only this one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => (stack ? void forget().then(() => process.exit(exitByHand)) : giveUp.abort()));
  try {
    stack = await startStack({
      environment: { ...process.env, PORT: '0', POS_DATA_DIR: folder, POS_DEMO: '1' },
      say,
      giveUp: giveUp.signal,
    });
    await theDay(stack.ready);
  } finally {
    await forget();
  }
}

async function runningService(): Promise<Ready | undefined> {
  const file = join(loadSettings().POS_DATA_DIR, 'ready.json');
  if (!existsSync(file)) return undefined;
  const ready: Ready = JSON.parse(readFileSync(file, 'utf8'));
  const health = ready.api.replace(/\/rest$/, '/health/ready');
  const answer = await fetch(health, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
  return answer?.ok ? ready : undefined;
}

/** In a shop of its own there is nobody of the demo, and nothing that it sells. */
async function refuseWithoutDemoShop({ api }: Ready): Promise<void> {
  const { status } = await fetch(`${api}/V1/integration/admin/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(credentials.admin),
  });
  if (status === 401)
    throw new Error(
      'npm run demo needs the demo shop, and the running service has none: stop it, or use another POS_DATA_DIR.',
    );
}

async function theDay(ready: Ready): Promise<void> {
  await refuseWithoutDemoShop(ready);
  const teller = new Teller(ready, say, { asCurl, meaningOf });
  const register = await openRegister(teller);
  await walkShift(teller, register);
  const product = await browse(teller);

  teller.chapter('A sale for cash');
  const cash = await sell(teller, { register, product, price: 19.99, qty: 2, payment: 'cash' });
  await receiptDay(teller, cash);
  teller.chapter('A sale by card');
  const card = await sell(teller, { register, product, price: 24.5, qty: 2, payment: 'card' });

  await engravedSale(teller, register);

  const settled = await takeBackForCash(teller, register, cash);
  await takeBackToCard(teller, register, card);

  teller.chapter('A sale by card whose refund will be in doubt: the cents say so (.73)');
  const price = (total: number) => priceOf(register, product, total);
  const doubtful = await sell(teller, { register, product, price: price(20.73), qty: 1, payment: 'card' });
  await takeBackInDoubt(teller, register, doubtful);

  teller.chapter('A sale by card whose refund will be declined (.51)');
  const declined = await sell(teller, { register, product, price: price(20.51), qty: 1, payment: 'card' });
  await takeBackDeclined(teller, register, declined);

  await creditDay(teller, { register, product });
  await invoiceDay(teller, register);
  await kioskDay(teller, register);
  await offlineDay(teller, register);
  const layaway = await layawayDay(teller, { register, product });
  await customerDisplay(teller);
  await reportDay(teller, register);
  await leaveForTheNight(teller, { register, product });
  closingTime(teller, { rmaId: settled.id, orderId: layaway.orderId });
  teller.print(`\nAll ${teller.steps} requests were answered as expected.`);
}

/** The operator's commands at closing time. */
function closingTime(teller: Teller, { rmaId, orderId }: { rmaId: number; orderId: number }): void {
  teller.chapter('Closing: what happened, and do the books agree?');
  for (const command of [
    ['explain', 'return', `${rmaId}`],
    ['explain', 'order', `${orderId}`],
    ['verify', '--keep'],
  ])
    runPos(teller, command);
}

const { curl: asCurl = false } = toolOptions({
  command: 'npm run demo --',
  about: "A register's first day, against the service that runs here or one that is started for it.",
  options: {
    curl: { type: 'boolean', says: 'print each request as a curl command, and all else as comments of a shell script' },
  },
});
try {
  await main();
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
