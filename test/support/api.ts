import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MikroORM } from '@mikro-orm/postgresql';
import { createApp, handlerOf } from '../../api/app.ts';
import type { AnyRoute } from '../../api/http/route.ts';
import type { Workflows } from '../../providers/temporal/workflows.ts';
import { createOrm } from '../../db/orm.ts';
import { createAdminUser } from '../../db/platform/access/create-admin-user.ts';
import { createIntegrationToken } from '../../db/platform/access/create-signed-integration.ts';
import { issueToken } from '../../db/platform/access/issue-token.ts';
import { everyResource, registerResources } from '../../domain/platform/access.ts';
import { loadExtensions } from '../../providers/extensions.ts';
import { createProviders, type Providers } from '../../providers/index.ts';
import { createLog, type Log } from '../../providers/log.ts';
import { parseSettings, type Settings } from '../../providers/settings.ts';
import { createWorkerProviders, type WorkerProviders } from '../../providers/worker-providers.ts';
import type { DatabaseLimits } from '../../db/support/connections/guard-pool.ts';
import { testDatabaseUrl } from './database.ts';
import { lazyWorker, type OwnWorker } from './own-worker.ts';
import { separateIds } from './separate-ids.ts';
import { noteAnswers, type SeenAnswer } from './seen-answers.ts';
import { noteOutcomes } from './seen-outcomes.ts';

export interface Answer {
  status: number;
  /** Parsed where it is JSON, else the text. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
  headers: Headers;
}

export interface Call {
  token?: string;
  /** An object is sent as JSON, a text or bytes as they are. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestApi {
  /** `/V1/…` goes to the default store view; write `/rest/<code>/V1/…` or `/health/…` in full. */
  call: (method: string, path: string, call?: Call) => Promise<Answer>;
  /** Every resource; register: what a register has (platform facts 12.1); nothing: a known caller without any. */
  tokens: { admin: string; register: string; nothing: string };
  /** An integration with just these resources. */
  tokenFor: (...resources: readonly string[]) => Promise<string>;
  /** An administrator with just these resources, by a name of its own. */
  adminTokenFor: (...resources: readonly string[]) => Promise<string>;
  customerToken: (customerId: number) => Promise<string>;
  orm: MikroORM;
  providers: Providers;
  /** What its worker has. */
  workerProviders: () => WorkerProviders;
  /** Its own worker, or Temporal, is missing until the work is done. */
  without: OwnWorker['without'];
  settings: Settings;
  log: Log;
  url: string;
  /** Errors answered with 500, so that a test can expect some. */
  faults: unknown[];
  close: () => Promise<void>;
}

/** Long enough that the work of a write ends before, however busy the machine is. */
const patientWriteMs = 30_000;

export interface TestApiOptions {
  /** Absent: a database of its own. */
  orm?: MikroORM;
  /** Absent: every route there is. */
  routes?: readonly AnyRoute[];
  /** Absent: a worker of its own, which starts when it is needed. Or what stands before that worker. */
  workflows?: Workflows | ((own: Workflows) => Workflows);
  /** In place of the ones made from the settings. */
  providers?: Partial<Providers>;
  /** The same, of what only a worker has. */
  workerProviders?: Partial<WorkerProviders>;
  /** As in the environment. */
  settings?: Record<string, string>;
  clock?: () => Date;
  requestTimeoutMs?: number;
  /** Absent: long, because a busy machine says nothing about what a write became. */
  writeTimeoutMs?: number;
  /** Absent: published content is visible at once. */
  contentKeptMs?: number;
  /** Absent: the tests' own long limits. */
  limits?: DatabaseLimits;
  /** Absent: one of its own. */
  databaseUrl?: string;
  /** The test provokes faults, so they are not printed. */
  expectsFaults?: boolean;
  /** Gets every line of the log, at every level. */
  readLog?: (line: string) => void;
}

/**
 * The whole API over a database of its own, on a free port. Each answer is checked against what its route declares.
 * Close it in `afterAll`.
 */
export async function testApi(options: TestApiOptions = {}): Promise<TestApi> {
  const orm = options.orm ?? (await createOrm(options.databaseUrl ?? (await testDatabaseUrl()), options.limits));
  // Where gateways are is known to the worker alone: no test passes because the API called one.
  const { GATEWAY_SIMULATOR_URL: _unset, ...ofApi } = options.settings ?? {};
  const settings = parseSettings({ LOG_LEVEL: 'error', ...ofApi });
  const workerSettings = parseSettings({ LOG_LEVEL: 'error', ...options.settings });
  const faults: unknown[] = [];
  const { readLog } = options;
  const log = readLog
    ? createLog('test', { ...settings, LOG_LEVEL: 'trace' }, { write: readLog })
    : createLog('test', { ...settings, LOG_LEVEL: 'silent' });
  const write = log.error.bind(log);
  log.error = (facts: object) => {
    const fault: unknown = Reflect.get(facts, 'error');
    faults.push(fault);
    if (readLog) write(facts);
    else if (!options.expectsFaults) console.error(fault);
  };
  const extensions = await loadExtensions(settings);
  const made = createProviders({ settings, orm, extensions });
  const providers = { ...made, ...options.providers };
  const ofWorker = (): WorkerProviders => ({
    ...createWorkerProviders({ settings: workerSettings, orm, extensions }),
    ...providers,
    ...options.workerProviders,
  });
  const own = lazyWorker(() => ({ orm, providers: ofWorker(), settings: workerSettings, log }));
  const standsBefore = options.workflows ?? ((given: Workflows) => given);
  const hasOwn = typeof standsBefore === 'function';
  if (hasOwn && options.orm === undefined) await separateIds({ orm });
  const product = options.routes ? undefined : await import('../../api/routes.ts');
  const routes = options.routes ?? product?.withRoutesOf(extensions) ?? [];
  const app = createApp({
    routes,
    orm,
    workflows: hasOwn ? standsBefore(own.workflows) : standsBefore,
    providers,
    settings,
    log,
    clock: options.clock ?? (() => new Date()),
    checkAnswers: true,
    contentKeptMs: options.contentKeptMs ?? 0,
    writeTimeoutMs: options.writeTimeoutMs ?? patientWriteMs,
    ...(options.requestTimeoutMs === undefined ? {} : { requestTimeoutMs: options.requestTimeoutMs }),
  });
  app.middleware.unshift(noteOutcomes, async ({ method, path }, next) => {
    if (hasOwn && method !== 'GET' && asksWorkflows.test(path)) await own.ready();
    return next();
  });
  // A test's own routes, and those of extensions, are not in the document.
  const noteAnswer = noteAnswers(product?.routes ?? []);
  const server = createServer(handlerOf(app));
  const url = await listen(server);
  return {
    call: (method, path, call = {}) => send(url, method, path, call, noteAnswer),
    tokens: await makeTokens(orm),
    tokenFor: (...resources) => tokenFor(orm, resources),
    adminTokenFor: (...resources) => adminTokenFor(orm, resources),
    customerToken: (customerId) =>
      issueToken(orm.em.fork(), { userType: 'customer', userId: customerId, expiresAt: null }),
    orm,
    providers,
    workerProviders: ofWorker,
    without: (...parts) => own.without(...parts),
    settings,
    log,
    url,
    faults,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await own.stop();
      await made.passwords.close();
      await orm.close();
    },
  };
}

/** Their requests may wait three seconds for a worker: its start must take nothing from that. */
const asksWorkflows =
  /\/pos\/(?:rma|layaways)|^\/ops\/(?:books|doubts|returns)|\/V1\/returns|\/invoice\/\d+\/refund$|\/creditmemo\/refund$/;

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve(`http://127.0.0.1:${port}`);
    });
  });

async function makeTokens(orm: MikroORM): Promise<TestApi['tokens']> {
  const em = orm.em.fork();
  const userId = await createAdminUser(em, {
    username: 'test-admin',
    firstName: 'Test',
    lastName: 'Admin',
    email: 'test-admin@example.com',
    passwordHash: 'no password fits',
    resources: [everyResource],
  });
  return {
    admin: await issueToken(em, { userType: 'admin', userId, expiresAt: null }),
    register: await tokenFor(orm, registerResources),
    nothing: await tokenFor(orm, []),
  };
}

let administrators = 0;
async function adminTokenFor(orm: MikroORM, resources: readonly string[]): Promise<string> {
  const username = `admin-${++administrators}`;
  const userId = await createAdminUser(orm.em.fork(), {
    ...{ username, firstName: 'Test', lastName: 'Admin', email: `${username}@example.com` },
    ...{ passwordHash: 'no password fits', resources },
  });
  return issueToken(orm.em.fork(), { userType: 'admin', userId, expiresAt: null });
}

let integrations = 0;
async function tokenFor(orm: MikroORM, resources: readonly string[]): Promise<string> {
  const name = `test ${++integrations}`;
  return (await createIntegrationToken(orm.em.fork(), { name, resources })).token;
}

type Note = (answer: SeenAnswer) => void;

async function send(url: string, method: string, path: string, call: Call, note: Note): Promise<Answer> {
  const { token, body, headers } = call;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(url + (/^\/V\d/.test(path) ? `/rest${path}` : path), {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  note({ method, path: new URL(response.url).pathname, status: response.status, type, text });
  const isJson = type === 'application/json' && text !== '';
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
}
