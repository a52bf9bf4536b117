import { join } from 'node:path';
import Koa, { type Context } from 'koa';
import { koaBody } from 'koa-body';
import { startLittleServer } from '../little-server/start-little-server.ts';
import { control } from './control.ts';
import { Ledger } from './ledger.ts';
import { page } from './page.ts';
import { providerA } from './provider-a.ts';
import { providerB } from './provider-b.ts';
import { providerC } from './provider-c.ts';

export interface GatewaySimulator {
  url: string;
  ledger: Ledger;
  stop(): Promise<void>;
}

export interface GatewaySimulatorOptions {
  host?: string;
  /** Its other names, beside the loopback and `host`. */
  names?: readonly string[];
  /** 0 takes a free one. */
  port: number;
  /** The folder of the journal; absent: the records last as long as the process. */
  dataDir?: string | undefined;
}

const bodyLimit = '64kb';

/** Starts a separate card processor. Its records show what it did, not what it answered. */
export async function startGatewaySimulator({ dataDir, ...at }: GatewaySimulatorOptions): Promise<GatewaySimulator> {
  const ledger = new Ledger(dataDir && join(dataDir, 'gateway-simulator.jsonl'));
  const answer = createApp(ledger).callback();
  const server = await startLittleServer({ ...at, serve: (request, response) => answer(request, response) });
  return { ...server, ledger };
}

function createApp(ledger: Ledger): Koa {
  const app = new Koa();
  app.silent = true;
  app.use(async (context, next) => {
    await next().catch((error: unknown) => refuse(context, error));
    if (context.status === 404 && context.body === undefined) {
      context.status = 404;
      context.body = { error: { code: 'no_such_route', message: `${context.method} ${context.path} does not exist.` } };
    }
  });
  app.use(koaBody({ jsonLimit: bodyLimit, text: false, urlencoded: false }));
  for (const router of [control(ledger), page(), providerA(ledger), providerB(ledger), providerC(ledger)])
    app.use(router.routes());
  return app;
}

/** Handled here and not in Koa, which would remove the headers of the answer. */
function refuse(context: Context, error: unknown): void {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  const message = error instanceof Error && status < 500 ? error.message : 'Something went wrong here.';
  if (status >= 500) console.error(error);
  context.status = status;
  context.body = { error: { code: 'not_answered', message } };
}
