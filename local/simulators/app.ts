import { join } from 'node:path';
import Koa, { type Context, type Middleware } from 'koa';
import { startLittleServer, type LittleServer } from '../little-server.ts';
import { simulatorPaths } from '../ports.ts';
import { creditRecords, serveCredit, type CreditRecords } from './credit.ts';
import { Ledger } from './gateway/ledger.ts';
import { gatewayRoutes } from './gateway/processors.ts';
import { licenseRecords, serveLicense, type LicenseRecords } from './license.ts';
import { returnsRecords, serveReturns, type ReturnsRecords } from './returns.ts';
import { readBody } from './service.ts';
import { catchWebhook, caughtWebhooks, type CaughtWebhooks } from './webhooks.ts';

/** What every simulator did, and how it answers next. */
export interface SimulatorRecords {
  gateway: Ledger;
  license: LicenseRecords;
  returns: ReturnsRecords;
  credit: CreditRecords;
  webhooks: CaughtWebhooks;
}

export interface Simulators extends LittleServer, SimulatorRecords {}

export interface SimulatorsOptions {
  host?: string;
  /** Its other names, beside the loopback and `host`. */
  names?: readonly string[];
  /** 0 takes a free one. */
  port?: number;
  /** The folder of the gateway's journal; absent: the records last as long as the process. */
  dataDir?: string | undefined;
}

/**
 * Everything outside a shop, played behind one address: card processors, and services of licenses, returns and credit,
 * and the endpoint of webhooks. Their records show what they did, not what they answered.
 */
export async function startSimulators({ dataDir, port = 0, ...at }: SimulatorsOptions = {}): Promise<Simulators> {
  const records: SimulatorRecords = {
    gateway: new Ledger(dataDir && join(dataDir, 'gateway-simulator.jsonl')),
    license: licenseRecords(),
    returns: returnsRecords(),
    credit: creditRecords(),
    webhooks: caughtWebhooks(),
  };
  const answer = createApp(records).callback();
  const server = await startLittleServer({ ...at, port, serve: (request, response) => answer(request, response) });
  return { ...server, ...records };
}

function createApp({ gateway, license, returns, credit, webhooks }: SimulatorRecords): Koa {
  const app = new Koa();
  app.silent = true;
  app.use(errors);
  app.use(below(simulatorPaths.license, (...input) => serveLicense(license, ...input)));
  app.use(below(simulatorPaths.returns, (...input) => serveReturns(returns, ...input)));
  app.use(below(simulatorPaths.credit, (...input) => serveCredit(credit, ...input)));
  app.use(below(simulatorPaths.webhooks, (...input) => catchWebhook(webhooks, ...input)));
  app.use(gatewayRoutes(gateway));
  return app;
}

const bodyOfServices = readBody('1mb');

/** What is below the path, with its body read, and its path from there on. */
const below =
  (prefix: string, serve: (context: Context, path: string) => void): Middleware =>
  (context, next) =>
    context.path === prefix || context.path.startsWith(`${prefix}/`)
      ? bodyOfServices(context, async () => serve(context, context.path.slice(prefix.length) || '/'))
      : next();

/** Handled here and not in Koa, which would remove the headers of the answer. */
async function errors(context: Context, next: () => Promise<unknown>): Promise<void> {
  await next().catch((error: unknown) => refuse(context, error));
  if (context.respond === false || context.status !== 404 || context.body !== undefined) return;
  context.status = 404;
  context.body = { error: { code: 'no_such_route', message: `${context.method} ${context.path} does not exist.` } };
}

function refuse(context: Context, error: unknown): void {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  const message = error instanceof Error && status < 500 ? error.message : 'Something went wrong here.';
  if (status >= 500) console.error(error);
  context.status = status;
  context.body = { error: { code: 'not_answered', message } };
}

/** One of the services, at its own address. */
export type Played<Records> = Records & LittleServer;

async function startOne<Name extends keyof typeof simulatorPaths>(name: Name): Promise<Played<SimulatorRecords[Name]>> {
  const { url, stop, [name]: records } = await startSimulators();
  return Object.assign(records, { url: url + simulatorPaths[name], stop });
}

export const startLicenseSimulator = () => startOne('license');
export const startReturnsSimulator = () => startOne('returns');
export const startCreditSimulator = () => startOne('credit');
export const startWebhookCatcher = () => startOne('webhooks');

export interface GatewaySimulator extends LittleServer {
  ledger: Ledger;
}

export async function startGatewaySimulator(options: SimulatorsOptions = {}): Promise<GatewaySimulator> {
  const { url, stop, gateway } = await startSimulators(options);
  return { url, stop, ledger: gateway };
}

export type LicenseSimulator = Played<LicenseRecords>;
export type ReturnsSimulator = Played<ReturnsRecords>;
export type CreditSimulator = Played<CreditRecords>;
export type WebhookCatcher = Played<CaughtWebhooks>;
