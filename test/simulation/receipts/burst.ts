import { createOrm } from '../../../db/orm.ts';
import { migrate } from '../../../db/migrate.ts';
import { saveReceipt } from '../../../db/receipts/save-receipt.ts';
import { createSecretBox } from '../../../db/support/secret-box.ts';
import { money, pieces } from '../../../domain/money.ts';
import { startFlowStage } from '../../../bench/flow-stage.ts';
import { scratch, startProcess } from '../../../bench/processes.ts';
import { makeShop } from '../../../bench/shop.ts';
import { freePort } from '../../../local/free-port.ts';
import { startPostgres } from '../../../local/postgres.ts';
import { toolOptions } from '../../../local/tool-options.ts';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchMemory } from './watch-memory.ts';
import { startMailCounter } from './mail-counter.ts';

/**
 * The end of a sale: so many customers want their receipt by mail in one moment, and the worker that prints and sends
 * is killed in the middle. Ends with 1 where one of the mails, or its PDF, never came, or memory grew with their
 * number.
 */
const options = toolOptions({
  command: 'npm run tools -- receipt-burst',
  about: 'So many receipts by mail at once, each with a PDF; the worker is killed in the middle.',
  options: {
    mails: { type: 'string', default: '500', isNumber: true, says: 'how many' },
    'kill-after': { type: 'string', default: '100', isNumber: true, says: 'the worker is killed after so many mails' },
  },
});
const wanted = Number(options.mails);
/** Of worker and browser together, in MB; what a burst of any length may hold at once. */
const mostMemory = 1_500;
const patienceMs = 15 * 60_000;
const say = (line: string) => process.stderr.write(`${line}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const postgres = await startPostgres({ durable: false });
const mails = await startMailCounter();
const running: { stop(): Promise<void> }[] = [postgres, mails];
try {
  const databaseUrl = postgres.url('postgres');
  await migrate(databaseUrl);
  const orm = await createOrm(databaseUrl);
  const token = await makeShop(orm.em.fork());
  const tokens = await makeReceipts();
  const environment = { SMTP_URL: mails.url, PUBLIC_BASE_URL: 'https://shop.example' };
  const stage = await startFlowStage({ databaseUrl, environment, say });
  running.unshift(stage);
  const database = { DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: stage.temporal };
  const api = await startProcess({
    name: 'api',
    file: 'dist/api/main.js',
    environment: database,
    readyPath: '/health/live',
  });
  running.unshift(api);

  say(`${wanted} ask for their receipt …`);
  const start = performance.now();
  const memory = watchMemory();
  memory.follow(stage.worker.pid);
  const asked = Promise.all(tokens.map((receiptToken, at) => ask(api.url, token, receiptToken, `c${at}@shop.example`)));
  while (mails.count() < Number(options['kill-after'])) await sleep(20);
  const killedAt = mails.count();
  process.kill(stage.worker.pid, 'SIGKILL');
  const metrics = await freePort();
  const second = await startProcess({
    name: 'second worker',
    file: 'dist/worker/main.js',
    environment: {
      ...database,
      ...environment,
      METRICS_PORT: String(metrics),
      WORKFLOW_BUNDLE: join(scratch, 'workflows.js'),
    },
    readyAt: `http://127.0.0.1:${metrics}/metrics`,
  });
  running.unshift(second);
  memory.follow(second.pid);

  const answers = await asked;
  const until = Date.now() + patienceMs;
  while ((await waiting()) > 0 && Date.now() < until) await sleep(500);
  const seconds = (performance.now() - start) / 1_000;
  const peak = memory.stop();
  await orm.close();
  const { recipients, withPdf, all } = mails.seen();
  const yes = answers.filter((status) => status === 200).length;
  console.log(`${wanted} asked at once; the worker was killed after ${killedAt} mails.
${recipients} got a mail, ${withPdf} of them with a PDF, ${all - recipients} twice; all were out after ${seconds.toFixed(0)} s.
${yes} heard yes within their 25 s, ${wanted - yes} that the receipt may still arrive.
At most ${peak.worker} MB in a worker and ${peak.browser} MB in its browsers (proportional).`);
  const isGood = recipients === wanted && withPdf === wanted && peak.worker + peak.browser <= mostMemory;
  console.log(isGood ? 'None was lost.' : 'FAILED.');
  process.exitCode = isGood ? 0 : 1;

  async function waiting(): Promise<number> {
    const sql = `select count(*)::int as mails from mail_outbox where state = 'waiting'`;
    return (await orm.em.fork().execute<{ mails: number }[]>(sql))[0]?.mails ?? 0;
  }

  async function makeReceipts(): Promise<string[]> {
    // The key of every process that `startProcess` starts.
    const box = createSecretBox(Buffer.alloc(32, 7).toString('base64'));
    const made = Array.from({ length: wanted }, (_, at) => at.toString(16).padStart(64, '0'));
    for (const [at, receiptToken] of made.entries()) {
      const fields = { posOrderId: `burst-${at}`, currency: 'USD', grandTotal: money('42'), receiptNumber: `B-${at}` };
      const items = Array.from({ length: 6 }, (_, line) => ({
        sku: `SKU-${line}`,
        name: `Thing number ${line}`,
        qty: pieces(1),
        price: money('7'),
        rowTotal: money('7'),
      }));
      await saveReceipt(orm.em.fork(), box, { fields, items, receiptToken });
    }
    return made;
  }
} finally {
  for (const one of running) await one.stop().catch(() => undefined);
}

async function ask(url: string, token: string, receiptToken: string, destination: string): Promise<number> {
  const answer = await fetch(`${url}/rest/V1/pos/receipts/email`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ receiptToken, destination }),
  });
  await answer.arrayBuffer();
  return answer.status;
}
