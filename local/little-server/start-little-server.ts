import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { littleHeaders } from './little-headers.ts';
import { pathOf } from './path-of.ts';
import { foreignRequest } from './foreign-request.ts';

export interface LittleServer {
  url: string;
  /** Closes every connection that still waits. */
  stop(): Promise<void>;
}

export interface LittleServerOptions {
  /** The address it listens on; absent: the loopback. */
  host?: string;
  /** 0 takes a free one. */
  port: number;
  /** Other names of the machine, beside the loopback and `host`. */
  names?: readonly string[];
  /** May answer, hang up or stay silent. An error becomes a 500 and never ends the process. */
  serve: (request: IncomingMessage, response: ServerResponse, path: string) => unknown;
}

/**
 * The HTTP server of all simulators and catchers on one machine. It refuses invalid addresses with 400, and requests
 * from another site with 403. Rejects when the port is taken.
 */
export async function startLittleServer({
  host = '127.0.0.1',
  port,
  names = [],
  serve,
}: LittleServerOptions): Promise<LittleServer> {
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(littleHeaders)) response.setHeader(name, value);
    const path = pathOf(request.url);
    const stranger = foreignRequest(request, { host, names });
    if (path === undefined) return refuse(response, 400, 'This is no address of this server.');
    if (stranger !== undefined) return refuse(response, 403, stranger);
    void carefully(response, async () => serve(request, response, path));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** `serve` also throws for a sender that hangs up within its body. */
async function carefully(response: ServerResponse, work: () => Promise<unknown>): Promise<void> {
  response.on('error', () => undefined);
  try {
    await work();
  } catch (error) {
    if (!response.destroyed) console.error(error);
    if (response.headersSent) response.destroy();
    else refuse(response, 500, 'This request could not be answered.');
  }
}

const refuse = (response: ServerResponse, status: number, sentence: string): void =>
  void response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${sentence}\n`);
