import type { Settings } from '../providers/settings.ts';
import { checkDatabase, ownDatabase } from './own-database.ts';
import type { Ports } from './ports.ts';
import { prepareApart } from './prepare/prepare-apart.ts';
import type { Example } from './prepare/examples.ts';
import type { Tokens } from './prepare/tokens.ts';
import { reachableHost } from './reachable-host.ts';
import { shownSettings, type Ready } from './ready-file.ts';
import { keepSecretKey } from './secret-key.ts';
import {
  apiPart,
  bundleFileIn,
  bundleWorkflows,
  gatewayPart,
  licensePart,
  mailPart,
  postgresPart,
  temporalPart,
  webhookPart,
  workerPart,
  type PartsOptions,
} from './stack-parts.ts';
import { steps, type Step } from './step.ts';
import type { Part, Supervisor } from './supervisor.ts';
import { findServer } from './temporal/find-server.ts';

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
export async function boot(given: BootOptions): Promise<Booted> {
  const failed = new AbortController();
  const giveUp = AbortSignal.any([given.giveUp, failed.signal]);
  const options = { ...given, giveUp };
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
    settings.GATEWAY_SIMULATOR_URL === undefined ? keep('Gateway simulator', gatewayPart(parts)) : elsewhere,
    settings.LICENSE_SERVICE_URL === undefined ? keep('License simulator', licensePart(parts)) : elsewhere,
    keep('Webhook catcher', webhookPart(parts)),
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
  const found = await untilGivenUp(giveUp, findServer({ environment, say }));
  if ('binary' in found)
    return step('Temporal', () => supervisor.keep(temporalPart(parts, { binary: found.binary, namespace })));
  // A server with TLS or a key belongs to a cluster: its owner creates the namespace.
  const isGuarded = settings.TEMPORAL_API_KEY ?? settings.TEMPORAL_TLS_CERT ?? settings.TEMPORAL_TLS_CA;
  if (isGuarded !== undefined) return;
  // Most starts bring a server along, and need no client.
  const { prepareServer } = await import('./temporal/prepare-server.ts');
  await step('Temporal of TEMPORAL_ADDRESS', () => prepareServer({ address: found.address, namespace }));
}

const untilGivenUp = <Result>(giveUp: AbortSignal, work: Promise<Result>): Promise<Result> =>
  Promise.race([
    work,
    new Promise<never>((_, reject) => giveUp.addEventListener('abort', () => reject(giveUp.reason), { once: true })),
  ]);

type Addresses = ReturnType<typeof addressesOf>;

const addressesOf = ({ settings, ports }: BootOptions) => ({
  api: `http://${reachableHost(settings.HOST)}:${ports.api}`,
  /** The address in a receipt's code: this machine, unless the public address is set. */
  publicBase: settings.PUBLIC_BASE_URL ?? `http://${reachableHost(settings.HOST)}:${ports.api}`,
  apiPort: ports.api,
  metricsPort: ports.metrics,
  metrics: `http://${reachableHost(settings.HOST)}:${ports.metrics}/metrics`,
  database: settings.DATABASE_URL ?? `postgresql://pos:pos@127.0.0.1:${ports.postgres}/pos`,
  temporal: settings.TEMPORAL_ADDRESS ?? `127.0.0.1:${ports.temporal}`,
  temporalUi:
    settings.TEMPORAL_UI_URL ??
    (settings.TEMPORAL_ADDRESS === undefined ? `http://127.0.0.1:${ports.temporalUi}` : undefined),
  gateway: settings.GATEWAY_SIMULATOR_URL ?? `http://${reachableHost(settings.HOST)}:${ports.gateway}`,
  license: settings.LICENSE_SERVICE_URL ?? `http://127.0.0.1:${ports.license}`,
  webhooks: `http://127.0.0.1:${ports.webhooks}`,
  smtp: settings.SMTP_URL ?? `smtp://127.0.0.1:${ports.smtp}`,
  mail: settings.SMTP_URL === undefined ? `http://127.0.0.1:${ports.mail}` : undefined,
});

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
