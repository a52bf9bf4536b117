import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createIntegrationToken } from '../../db/platform/access/create-signed-integration.ts';
import { createOrm } from '../../db/orm.ts';
import { everyResource } from '../../domain/platform/access.ts';
import { startMailCatcher, type MailCatcher } from '../../local/mail-catcher.ts';
import {
  startCreditSimulator,
  startGatewaySimulator,
  startWebhookCatcher,
  type CreditSimulator,
  type GatewaySimulator,
  type WebhookCatcher,
} from '../../local/simulators/app.ts';
import { freePort } from '../../local/free-port.ts';
import { aShop } from '../support/builders/shop.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { nameGatewayKeys } from '../support/flow.ts';
import { separateIds } from '../support/separate-ids.ts';
import { secretKey } from '../support/builders/counter.ts';
import { housekeeper } from '../support/housekeeping.ts';
import { pauseSignal } from '../../workflows/messages.ts';
import { KeptProcess, type KeptProcessOptions } from './kept-process.ts';
import { aTeller, type Teller } from './teller.ts';

export const processNames = ['api', 'worker'] as const;
export type ProcessName = (typeof processNames)[number];

export interface Step {
  name: string;
  nth: number;
}

/** How late an event loop was, and the most processor time of one turn of it. */
export interface Lateness {
  p99Ms: number;
  mostMs: number;
  longestTurnMs: number;
}

export interface Noted {
  steps: Step[];
  hasFired: boolean;
}

export interface PointOfStep extends Step {
  variant: 'before' | 'after';
}

/** A whole shop whose API and worker are processes of their own that can be made to die at a named step. */
export interface Lane {
  orm: MikroORM;
  client: Client;
  gateway: GatewaySimulator;
  creditService: CreditSimulator;
  mail: MailCatcher;
  /** Where webhooks arrive. */
  webhooks: WebhookCatcher;
  /** How long the mail server takes for each of its answers. */
  mailServer: { answersAfterMs: number };
  taskQueue: string;
  /** Of the API. */
  url: string;
  shop: Awaited<ReturnType<typeof aShop>>;
  teller: Teller;
  /** For everything. */
  token: string;
  processes: Record<ProcessName, KeptProcess>;
  /** A second API and a second worker of the same shop, which no step kills; where twins were asked for. */
  moreProcesses: readonly KeptProcess[];
  /** Another worker of the shop, not started yet, before which these modules are loaded. Who asks for it stops it. */
  aWorkerWith(...preloads: readonly string[]): Promise<KeptProcess>;
  /** Another API or worker of the shop, with variables of its own, not started yet. Who asks for it stops it. */
  another(name: ProcessName, variables: Record<string, string>): Promise<{ kept: KeptProcess; url: string }>;
  /** The variables of all processes. */
  environment: Readonly<Record<string, string | undefined>>;
  moreTellers: readonly Teller[];
  /** How late the event loop of a process was since this was asked last; where `watchesLoops` was asked for. */
  loopOf(name: ProcessName): Promise<Lateness>;
  /** From now on the process notes its steps, and dies at the one given. */
  arm(name: ProcessName, at?: PointOfStep): void;
  /** Ends it; answers the steps noted since, and whether the process died there. */
  disarm(name: ProcessName): Noted;
  /** As `disarm`, for a step whose reply may still be on its way: waits a moment for the process to die of it. */
  disarmOnceFired(name: ProcessName): Promise<Noted>;
  close(): Promise<void>;
}

const loopProbe = new URL('../../bench/loop-probe.ts', import.meta.url).href;

/** A gateway that answers fast, and a first question unasked soon after a doubt. */
const patience = { GATEWAY_TIMEOUT_SECONDS: '2', RECONCILE_AFTER_SECONDS: '1' };

export interface LaneOptions {
  twins?: boolean;
  watchesLoops?: boolean;
  /** Variables of all processes, before ours. */
  environment?: Record<string, string>;
  /** Where the build of its API and its worker is, built or as sources; absent: this one. */
  sources?: string | undefined;
}

export async function openLane(
  temporalAddress: string,
  { twins = false, watchesLoops = false, environment: own = {}, sources }: LaneOptions = {},
): Promise<Lane> {
  const folder = mkdtempSync(join(tmpdir(), 'pos-lane-'));
  const databaseUrl = await testDatabaseUrl();
  const orm = await createOrm(databaseUrl);
  const gateway = await startGatewaySimulator({ port: 0 });
  const creditService = await startCreditSimulator();
  const mailServer = { answersAfterMs: 0 };
  const beforeAnswer = () => pause(mailServer.answersAfterMs);
  const mail = await startMailCatcher({ smtpPort: 0, webPort: 0, beforeAnswer });
  const webhooks = await startWebhookCatcher();
  const shop = await aShop(orm.em.fork());
  await separateIds({ orm });
  await nameGatewayKeys({ orm });
  const { token } = await createIntegrationToken(orm.em.fork(), { name: 'crash', resources: [everyResource] });
  const taskQueue = `crash-${randomBytes(6).toString('hex')}`;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    ...process.env,
    ...patience,
    ...own,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporalAddress,
    TEMPORAL_TASK_QUEUE: taskQueue,
    WORKFLOW_BUNDLE: process.env['TEST_BUNDLE'],
    GATEWAY_SIMULATOR_URL: gateway.url,
    CREDIT_SERVICE_URL: creditService.url,
    SMTP_URL: mail.smtpUrl,
    WEBHOOKS_TO_PRIVATE_NETWORKS: '1',
    POS_SECRET_KEY: secretKey,
    POS_DATA_DIR: folder,
    PORT: String(port),
    METRICS_PORT: String(await freePort()),
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
    FAILPOINTS: folder,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(tmpdir(), 'pos-crash-compile-cache'),
  };
  const loopFile = (name: ProcessName) => join(folder, `${name}.loop`);
  const kept = (name: ProcessName, ports: Record<string, string> = {}, more: Partial<KeptProcessOptions> = {}) =>
    new KeptProcess({
      file: `${name}/main.ts`,
      environment: {
        ...environment,
        FAILPOINTS_PROCESS: `${name}${ports['PORT'] ?? ''}`,
        // Another build bundles its own workflows.
        ...(more.sources === undefined ? {} : { WORKFLOW_BUNDLE: undefined }),
        BENCH_LOOP_DELAY: loopFile(name),
        ...ports,
      },
      readyLine: `${name} ready`,
      ...more,
      preloads: [...(more.preloads ?? []), ...(watchesLoops ? [loopProbe] : [])],
    });
  const processes = { api: kept('api', {}, { sources }), worker: kept('worker', {}, { sources }) };
  const twinPort = String(await freePort());
  const twinPorts = { PORT: twinPort, METRICS_PORT: String(await freePort()) };
  const moreProcesses = twins ? processNames.map((name) => kept(name, twinPorts)) : [];
  await Promise.all([processes.api, processes.worker, ...moreProcesses].map((one) => one.start()));
  const connection = await Connection.connect({ address: temporalAddress });
  const client = new Client({ connection, namespace: 'pos' });
  await holdSweeps(client, taskQueue);
  await orm.em.fork().execute('update inventory_source_item set quantity = 1000000');
  return {
    orm,
    client,
    gateway,
    creditService,
    mail,
    webhooks,
    mailServer,
    taskQueue,
    url,
    shop,
    teller: aTeller({ url, token }),
    token,
    processes,
    moreProcesses,
    aWorkerWith: async (...preloads) => kept('worker', { METRICS_PORT: String(await freePort()) }, { preloads }),
    async another(name, variables) {
      const own = String(await freePort());
      const ports = { PORT: own, METRICS_PORT: String(await freePort()) };
      return { kept: kept(name, { ...variables, ...ports }), url: `http://127.0.0.1:${own}` };
    },
    environment,
    moreTellers: twins ? [aTeller({ url: `http://127.0.0.1:${twinPort}`, token })] : [],
    ...failpointsIn(folder),
    async loopOf(name) {
      rmSync(loopFile(name), { force: true });
      processes[name].tellLateness();
      for (; ; await pause(1)) {
        const said = existsSync(loopFile(name)) ? readFileSync(loopFile(name), 'utf8') : '';
        if (said !== '') return JSON.parse(said);
      }
    },
    async close() {
      await Promise.all([processes.api, processes.worker, ...moreProcesses].map((one) => one.stop()));
      await connection.close();
      await gateway.stop();
      await creditService.stop();
      await mail.stop();
      await webhooks.stop();
      await orm.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What comes by every few minutes would add steps at random; the matrix sends it out itself where it is wanted. */
const holdSweeps = (client: Client, taskQueue: string) =>
  Promise.all([
    housekeeper({ client, taskQueue }).signal(pauseSignal),
    client.schedule.getHandle(`reindex-catalog-rules-${taskQueue}`).pause('the crash matrix sends it out itself'),
  ]);

let arms = 0;
const fireWithinMs = 500;

function failpointsIn(folder: string): Pick<Lane, 'arm' | 'disarm' | 'disarmOnceFired'> {
  const file = (name: ProcessName, what: string) => join(folder, `${name}.${what}`);
  const disarm = (name: ProcessName): Noted => {
    const hasFired = existsSync(file(name, 'fired'));
    rmSync(file(name, 'arm.json'), { force: true });
    const trace = existsSync(file(name, 'trace')) ? readFileSync(file(name, 'trace'), 'utf8') : '';
    return {
      steps: trace
        .split('\n')
        .filter(Boolean)
        .map((line): Step => JSON.parse(line)),
      hasFired,
    };
  };
  return {
    arm(name, at) {
      for (const what of ['trace', 'fired']) rmSync(file(name, what), { force: true });
      // In one piece, or a step would read half of it.
      writeFileSync(file(name, 'arm.new'), JSON.stringify({ id: String(++arms), ...(at ? { at } : {}) }));
      renameSync(file(name, 'arm.new'), file(name, 'arm.json'));
    },
    disarm,
    async disarmOnceFired(name) {
      for (const until = Date.now() + fireWithinMs; Date.now() < until; await pause(10))
        if (existsSync(file(name, 'fired'))) break;
      return disarm(name);
    },
  };
}
