import { createServer, type RequestListener } from 'node:http';
import { answersUnread } from './unread-requests.ts';

export interface HttpServer {
  port: number;
  /**
   * Accepts nothing new, lets running requests finish for this time, then closes the rest. A repeat waits for the
   * first.
   */
  drain(patienceMs: number): Promise<void>;
}

/** A slow sender must not hold a connection for ever. */
const headersTimeout = 10_000;
const requestTimeout = 30_000;
/** Longer than a load balancer's usual minute, so that the server never closes the connection first. */
const keepAliveTimeout = 65_000;
/** How often slow senders are looked for: Node's own half minute would double their time. */
const connectionsCheckingInterval = 2_000;
/** Of one process: far more than a shop has registers. A caller beyond it is turned away at once. */
const mostConnections = 2_000;
/** How often a drain looks for idle connections. */
const drainEveryMs = 50;

/**
 * Listens; port 0 takes a free one.
 *
 * @param most the connections that it keeps at a time
 */
export async function listen(
  handler: RequestListener,
  at: { host: string; port: number },
  most: number = mostConnections,
): Promise<HttpServer> {
  const server = answersUnread(
    createServer({
      ...{ headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval },
      requireHostHeader: false,
    }),
    handler,
  );
  server.maxConnections = most;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(at.port, at.host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
  const address = server.address();
  let drained: Promise<void> | undefined;

  const drain = async (patienceMs: number) => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const sweep = setInterval(() => server.closeIdleConnections(), drainEveryMs);
    const end = setTimeout(() => server.closeAllConnections(), patienceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(end);
  };
  return {
    port: typeof address === 'object' && address ? address.port : at.port,
    drain: (patienceMs) => (drained ??= drain(patienceMs)),
  };
}
