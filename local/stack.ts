import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { isIPv6 } from 'node:net';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { parseSettings, type Settings } from '../providers/settings.ts';
import { CannotStart } from './cannot-start.ts';
import { noteProcesses, stopLeftOvers } from './left-overs.ts';
import { ownFiles } from './own-files.ts';
import { choosePorts, simulatorPaths, type Ports } from './ports.ts';
import { prepareApart, type Example, type Tokens } from './prepare/examples.ts';
import { removeReadyFile, shownSettings, writeReadyFile, type Ready } from './ready-file.ts';
import {
  apiPart,
  bundleFileIn,
  bundleWorkflows,
  mailPart,
  postgresPart,
  simulatorsPart,
  temporalPart,
  workerPart,
  type PartsOptions,
} from './stack-parts.ts';
import { writeStateFile } from './state-file.ts';
import { steps, type Step } from './step.ts';
import { Supervisor, type Part } from './supervisor.ts';
import { findServer } from './temporal/find-server.ts';
import { lockHolder, takeLock } from './with-lock.ts';

/** The shop's database on our own server, created at the first start. */
async function ownDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: server.href });
  // A stopped server fails the running query; its `error` event without a listener would end the process.
  admin.on('error', () => undefined);
  await admin.connect();
  try {
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await admin.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await admin.end();
  }
}

/** Refuses, in one sentence, a configured database that does not answer. */
async function checkDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new CannotStart(
      `The database of DATABASE_URL does not answer (${reason}); start it, or unset DATABASE_URL to get one brought along.`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The local address of a server that listens on `HOST`: a server on all addresses is also on the loopback. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIPv6(host) ? `[${host}]` : host;
}

const keyBytes = 32;

/** The key that encrypts provider keys: made once, because a new one could not read older values. */
function keepSecretKey(dataDir: string): string {
  const file = join(dataDir, 'secret-key');
  if (!existsSync(file)) writeStateFile(file, randomBytes(keyBytes).toString('base64'));
  return readFileSync(file, 'utf8').trim();
}

export interface BootOptions {
  settings: Settings;
  /** The variables from which the settings were parsed; the children get them too. */
  environment: Record<string, string | undefined>;
  dataDir: string;
  ports: Ports;
  isDurable: boolean;
  say: (line: string) => void;
  giveUp: AbortSignal;
  supervisor: Supervisor;
}

export interface Booted {
  ready: Ready;
  examples: Example[];
}

/** Starts the parts in order; independent parts start at the same time. */
async function boot(input: BootOptions): Promise<Booted> {
  const failed = new AbortController();
  const giveUp = AbortSignal.any([input.giveUp, failed.signal]);
  const options = { ...input, giveUp };
  const { settings, supervisor } = options;
  const addresses = addressesOf(options);
  const secretKey = settings.POS_SECRET_KEY ?? keepSecretKey(options.dataDir);
  const parts = partsOf(options, { addresses, secretKey });
  const step = steps(options.say, giveUp);

  const server = bootServer({ options, parts, addresses, step });
  const { say } = options;
  const database = prepareApart({
    environment: parts.environment,
    api: `${addresses.api}/rest`,
    say,
    startsAfter: server,
    giveUp,
  });
  const temporal = bootTemporal({ options, parts, step });
  const bundle = step('Workflow code bundled', () => bundleWorkflows(parts));
  const keep = (name: string, part: Part) => step(name, () => supervisor.keep(part));
  const elsewhere = Promise.resolve();
  const servers = Promise.all([server, temporal]);
  const started = [
    database,
    keep('Simulators', simulatorsPart(parts)),
    settings.SMTP_URL === undefined ? keep('Mail catcher', mailPart(parts)) : elsewhere,
    // Both load their sources while the database is prepared: most of their start, and it needs one processor only.
    servers.then(() => keep('API', apiPart(parts, database))),
    servers.then(() => keep('Worker', workerPart(parts, Promise.all([database, bundle])))),
  ] as const;
  // When one part fails, nothing new starts, and the running parts continue.
  const [{ tokens, examples }] = await Promise.all(started).catch(async (error: unknown) => {
    failed.abort();
    await Promise.allSettled(started);
    throw error;
  });
  return { ready: readyOf(addresses, { tokens, settings }), examples };
}

function partsOf(
  options: BootOptions,
  { addresses, secretKey }: { addresses: Addresses; secretKey: string },
): PartsOptions {
  const { environment, dataDir } = options;
  return {
    ...options,
    host: reachableHost(options.settings.HOST),
    metrics: addresses.metrics,
    environment: {
      ...environment,
      ...variablesOf(addresses),
      POS_DATA_DIR: dataDir,
      POS_SECRET_KEY: secretKey,
      WORKFLOW_BUNDLE: bundleFileIn(dataDir),
    },
  };
}

interface ServerBoot {
  options: BootOptions;
  parts: PartsOptions;
  addresses: Addresses;
  step: Step;
}

/** Settles when a database answers; its content may be missing. */
async function bootServer({ options, parts, addresses, step }: ServerBoot): Promise<void> {
  const { settings, supervisor } = options;
  const { database: url } = addresses;
  if (settings.DATABASE_URL) await step('Database of DATABASE_URL', () => checkDatabase(url));
  else await step('PostgreSQL', () => supervisor.keep(postgresPart(parts)).then(() => ownDatabase(url)));
}

async function bootTemporal({ options, parts, step }: Pick<ServerBoot, 'options' | 'parts' | 'step'>): Promise<void> {
  const { settings, supervisor, giveUp, environment, say } = options;
  const { TEMPORAL_NAMESPACE: namespace } = settings;
  const found = await untilAbandoned(giveUp, findServer({ environment, say }));
  if ('binary' in found)
    return step('Temporal', () => supervisor.keep(temporalPart(parts, { binary: found.binary, namespace })));
  // A server with TLS or a key belongs to a cluster: its owner creates the namespace.
  const isGuarded = settings.TEMPORAL_API_KEY ?? settings.TEMPORAL_TLS_CERT ?? settings.TEMPORAL_TLS_CA;
  if (isGuarded !== undefined) return;
  // Most starts bring a server along, and need no client.
  const { prepareServer } = await import('./temporal/prepare-server.ts');
  await step('Temporal of TEMPORAL_ADDRESS', () => prepareServer({ address: found.address, namespace }));
}

const untilAbandoned = <Result>(giveUp: AbortSignal, work: Promise<Result>): Promise<Result> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => giveUp.addEventListener('abort', () => reject(giveUp.reason), { once: true })),
  ]);

type Addresses = ReturnType<typeof addressesOf>;

function addressesOf({ settings, ports }: BootOptions) {
  const simulators = `http://${reachableHost(settings.HOST)}:${ports.simulators}`;
  return {
    api: `http://${reachableHost(settings.HOST)}:${ports.api}`,
    /** The address in a receipt's code: this machine, unless the public address is set. */
    publicBase: settings.PUBLIC_BASE_URL ?? `http://${reachableHost(settings.HOST)}:${ports.api}`,
    apiPort: ports.api,
    metricsPort: ports.metrics,
    metrics: `http://${reachableHost(settings.METRICS_HOST)}:${ports.metrics}/metrics`,
    database: settings.DATABASE_URL ?? `postgresql://pos:pos@127.0.0.1:${ports.postgres}/pos`,
    temporal: settings.TEMPORAL_ADDRESS ?? `127.0.0.1:${ports.temporal}`,
    temporalUi:
      settings.TEMPORAL_UI_URL ??
      (settings.TEMPORAL_ADDRESS === undefined ? `http://127.0.0.1:${ports.temporalUi}` : undefined),
    gateway: settings.GATEWAY_SIMULATOR_URL ?? simulators,
    license: settings.LICENSE_SERVICE_URL ?? simulators + simulatorPaths.license,
    webhooks: simulators + simulatorPaths.webhooks,
    smtp: settings.SMTP_URL ?? `smtp://127.0.0.1:${ports.smtp}`,
    mail: settings.SMTP_URL === undefined ? `http://127.0.0.1:${ports.mail}` : undefined,
  };
}

/** The addresses that the children get. */
const variablesOf = (addresses: Addresses) => ({
  PORT: String(addresses.apiPort),
  METRICS_PORT: String(addresses.metricsPort),
  DATABASE_URL: addresses.database,
  TEMPORAL_ADDRESS: addresses.temporal,
  TEMPORAL_UI_URL: addresses.temporalUi,
  GATEWAY_SIMULATOR_URL: addresses.gateway,
  LICENSE_SERVICE_URL: addresses.license,
  SMTP_URL: addresses.smtp,
  PUBLIC_BASE_URL: addresses.publicBase,
});

const readyOf = (
  { api, database, temporal, temporalUi, gateway, license, webhooks, mail, metrics }: Addresses,
  { tokens, settings }: { tokens: Tokens; settings: Settings },
): Ready => ({
  api: `${api}/rest`,
  openapi: `${api}/openapi.json`,
  docs: `${api}/docs`,
  temporal,
  temporalNamespace: settings.TEMPORAL_NAMESPACE,
  temporalUi: temporalUi ?? null,
  gateway,
  license,
  webhooks,
  mail: mail ?? null,
  database,
  metrics,
  settings: shownSettings(settings),
  ...tokens,
});

/** Makes files that an earlier release left readable private to their owner, like those written today. */
export function makePrivate(dataDir: string): void {
  // PostgreSQL protects its own files, and may run as another user.
  for (const name of ownFiles) if (name !== 'postgres') close(join(dataDir, name));
}

/** A link or a missing file is skipped. */
function close(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) chmodSync(path, 0o600);
  if (!found?.isDirectory()) return;
  chmodSync(path, 0o700);
  for (const name of readdirSync(path)) close(join(path, name));
}

/** A shop that runs for months on a laptop must not fill its disk. */
const longEnoughBytes = 20_000_000;

/** Renames each long log; the one renamed before is deleted. */
function shortenLogs(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith('.log') && statSync(file).size > longEnoughBytes) renameSync(file, `${file}.1`);
  }
}

export interface StackOptions {
  /** The settings, as variables: `PORT: '0'` takes free ports, `POS_DATA_DIR` says where the data stay. */
  environment: Record<string, string | undefined>;
  /** Called with progress messages, one line each. */
  say?: (line: string) => void;
  /** Ends the start and everything it started so far. */
  giveUp?: AbortSignal;
  /** False only where a crash of the machine may lose the data, as in tests. */
  isDurable?: boolean;
}

/** A whole running shop. */
export interface Stack {
  ready: Ready;
  /** Example requests, where the demo shop exists. */
  examples: Example[];
  dataDir: string;
  /** Stops everything in order; the data stay. */
  stop(): Promise<void>;
}

/**
 * Starts every part that no setting places elsewhere, in order, and keeps it running: PostgreSQL and Temporal, then
 * the database's content, the simulators, the catcher of mails, and the worker and the API as separate processes.
 *
 * A second start on the same data directory continues with the same data. Throws `CannotStart`, `WrongSetting` or
 * `NoTemporalServer` with a sentence that says what to do.
 */
export async function startStack({
  environment: input,
  say = () => undefined,
  giveUp = new AbortController().signal,
  isDurable = true,
}: StackOptions): Promise<Stack> {
  // The catcher of webhooks is on this machine.
  const environment = { POS_DEMO: '1', LOG_FORMAT: 'pretty', WEBHOOKS_TO_PRIVATE_NETWORKS: '1', ...input };
  const settings = parseSettings(environment);
  const dataDir = makeDataDir(settings.POS_DATA_DIR);
  const unlock = lock(dataDir);
  const processFile = join(dataDir, 'processes.json');
  const supervisor = new Supervisor({ say, noted: (processes) => noteProcesses(processFile, processes) });
  const stop = async () => {
    removeReadyFile(dataDir);
    await supervisor.stop();
    unlock();
  };
  const stopEarly = () => void supervisor.stop();
  giveUp.addEventListener('abort', stopEarly, { once: true });
  try {
    const left = await stopLeftOvers(processFile);
    if (left.length > 0) say(`An earlier start was killed and left behind: ${left.join(', ')}. Stopped.`);
    ifPossible(say, 'The logs could not be shortened', () => shortenLogs(join(dataDir, 'logs')));
    const ports = await choosePorts({ settings, environment: input, say });
    const booted = await boot({ settings, environment, dataDir, ports, isDurable, say, giveUp, supervisor });
    ifPossible(say, 'ready.json could not be written, so tools do not find this shop', () =>
      writeReadyFile(dataDir, booted.ready),
    );
    return { ...booted, dataDir, stop };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    giveUp.removeEventListener('abort', stopEarly);
  }
}

/** Others may pass through it, because PostgreSQL may run as another user; its files are only for the owner. */
function makeDataDir(folder: string): string {
  const dataDir = resolve(folder);
  mkdirSync(join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0) chmodSync(dataDir, 0o711);
  makePrivate(dataDir);
  return dataDir;
}

/** For a write that may fail on a full disk without stopping the shop. */
function ifPossible(say: (line: string) => void, otherwise: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    say(`${otherwise} (${error instanceof Error ? error.message : String(error)}).`);
  }
}

/** One start at a time on one data directory; a lock whose process has ended does not count. */
function lock(dataDir: string): () => void {
  const file = join(dataDir, 'start.lock');
  if (takeLock(file)) return () => rmSync(file, { force: true });
  throw new CannotStart(
    `npm start already runs on ${dataDir} (process ${lockHolder(file)?.pid}); stop it, or give this one a data directory of its own: POS_DATA_DIR=.data-2 npm start`,
  );
}
