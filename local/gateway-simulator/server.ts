import type { Server } from 'node:http';
import { join } from 'node:path';
import Koa from 'koa';
import { koaBody } from 'koa-body';
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
  /** 0 takes a free one. */
  port: number;
  /** Where the journal stays; absent: the truth lasts as long as the process. */
  dataDir?: string | undefined;
}

const bodyLimit = '64kb';

/** Starts a card processor of its own. Its truth is what it did, never what it said. */
export async function startGatewaySimulator({
  host = '127.0.0.1',
  port,
  dataDir,
}: GatewaySimulatorOptions): Promise<GatewaySimulator> {
  const ledger = new Ledger(dataDir && join(dataDir, 'gateway-simulator.jsonl'));
  const server = await listen(createApp(ledger), { host, port });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${host}:${bound}`,
    ledger,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createApp(ledger: Ledger): Koa {
  const app = new Koa();
  app.on('error', () => undefined);
  app.use(async (context, next) => {
    await next();
    if (context.status === 404 && context.body === undefined) {
      context.status = 404;
      context.body = { error: { code: 'no_such_route', message: `${context.method} ${context.path} does not exist.` } };
    }
  });
  app.use(koaBody({ jsonLimit: bodyLimit, multipart: false, text: false, urlencoded: false }));
  for (const router of [control(ledger), page(), providerA(ledger), providerB(ledger), providerC(ledger)])
    app.use(router.routes());
  return app;
}

const listen = (app: Koa, { host, port }: { host: string; port: number }): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = app.listen(port, host, () => resolve(server));
    server.once('error', reject);
  });
