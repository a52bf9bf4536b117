import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { createConnectionLimit, noNotes, type ConnectionLimit } from './connection-limit.ts';
import { jsonHeaders } from './write-answer.ts';

/** Anything that is not HTTP is 400, and so is every error not listed here. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Requests that are being answered, by their connection: some may be pipelined before the first is answered. */
class UnderWay {
  readonly #open = new Map<Socket, ServerResponse[]>();
  #isLast = false;

  add(socket: Socket, response: ServerResponse): void {
    const open = this.#open.get(socket);
    if (open) open.push(response);
    else this.#open.set(socket, [response]);
    if (this.#isLast) response.shouldKeepAlive = false;
    response.once('close', () => this.#remove(socket, response));
  }

  #remove(socket: Socket, response: ServerResponse): void {
    const left = this.of(socket).filter((one) => one !== response);
    if (left.length === 0) this.#open.delete(socket);
    else this.#open.set(socket, left);
  }

  of(socket: Socket): readonly ServerResponse[] {
    return this.#open.get(socket) ?? [];
  }

  /** The last answer of each connection closes it, from now on. */
  sayGoodbye(): void {
    this.#isLast = true;
    for (const open of this.#open.values()) {
      const last = open.at(-1);
      if (last && !last.headersSent) last.shouldKeepAlive = false;
    }
  }
}

/**
 * Answers requests that never reach a handler, in the same form as all others: too slow, too large, or not HTTP.
 * Node's own answers lack our headers, and a receipt's address must not be passed on, even with an invalid request
 * (spec 4.9).
 */
function answersUnread(server: Server, { underWay, turnedAway }: Connections, handler: RequestListener): Server {
  const answer: RequestListener = (request, response) => {
    underWay.add(request.socket, response);
    if (turnedAway.has(request.socket)) refuse(response, 503);
    else if (namesItsHost(request)) handler(request, response);
    else refuse(response, 400);
  };
  server.on('request', answer);
  // An unknown `Expect` header is not a reason to refuse.
  server.on('checkExpectation', answer);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const isAnswering = underWay.of(socket).some((one) => one.headersSent && !one.writableFinished);
    if (!socket.writable || isAnswering || error.code === 'ECONNRESET') socket.destroy(error);
    else socket.end(written(statuses[error.code ?? ''] ?? 400), () => socket.destroy());
  });
  return server;
}

/** One host, no more: of two, a proxy may have read the other (RFC 9112, 3.2). HTTP 1.0 knows none. */
function namesItsHost({ httpVersion, headers, rawHeaders }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion !== '1.1';
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++;
  return hosts === 1;
}

function refuse(response: ServerResponse, status: 400 | 503): void {
  response.writeHead(status, headersOf(status).flat()).end(bodyOf(status));
}

const written = (status: number) =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...headersOf(status).map(([name, value]) => `${name}: ${value}`),
    '',
    bodyOf(status),
  ].join('\r\n');

/** The platform's envelope (platform facts 2.1), with the words of HTTP. */
const bodyOf = (status: number) => JSON.stringify({ message: `${STATUS_CODES[status]}.` });

const headersOf = (status: number): readonly (readonly [string, string])[] => [
  ...jsonHeaders,
  ...(status === 503 ? ([['Retry-After', '1']] as const) : []),
  ['Content-Type', 'application/json; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  ['Connection', 'close'],
  ['Content-Length', String(bodyOf(status).length)],
];

export interface HttpServer {
  port: number;
  /** From now on each answer is the last of its connection (`Connection: close`), also of what runs already. */
  sayGoodbye(): void;
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
/** Of one process: far more than a business has registers. Idle connections give way to one beyond it. */
const mostConnections = 2_000;
/** How often a drain looks for idle connections. */
const drainEveryMs = 50;

/** How long a connection that is turned away may take to send the request that is answered with 503. */
const turnedAwayMs = 5_000;
/** So many wait for their 503 at a time; more are closed without one. */
const mostTurnedAway = 200;

interface Connections {
  underWay: UnderWay;
  turnedAway: WeakSet<Socket>;
}

export interface Limits extends Partial<Pick<ConnectionLimit, 'perAddress' | 'most' | 'isProxy' | 'notes'>> {}

/** Turns connections away that are too many: the first request of one is answered with 503, and the last. */
function limitConnections(server: Server, { underWay, turnedAway }: Connections, limits: Limits): void {
  const { perAddress = 0, most = mostConnections, isProxy = () => false, notes = noNotes } = limits;
  const isIdle = (socket: Socket) => underWay.of(socket).length === 0;
  const keep = createConnectionLimit({ perAddress, most, isProxy, isIdle, notes });
  let waiting = 0;
  server.on('connection', (socket: Socket) => {
    if (keep(socket)) return;
    if (waiting >= mostTurnedAway) return void socket.destroy();
    waiting++;
    turnedAway.add(socket);
    const end = setTimeout(() => socket.destroy(), turnedAwayMs);
    socket.once('close', () => {
      waiting--;
      clearTimeout(end);
    });
  });
}

/**
 * Listens; port 0 takes a free one.
 *
 * @param limits the connections that it keeps at a time, of each address and at all
 */
export async function listen(
  handler: RequestListener,
  at: { host: string; port: number },
  limits: Limits = {},
): Promise<HttpServer> {
  const underWay = new UnderWay();
  const connections = { underWay, turnedAway: new WeakSet<Socket>() };
  const server = answersUnread(
    createServer({
      ...{ headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval },
      requireHostHeader: false,
    }),
    connections,
    handler,
  );
  limitConnections(server, connections, limits);
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
    underWay.sayGoodbye();
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const sweep = setInterval(() => server.closeIdleConnections(), drainEveryMs);
    const end = setTimeout(() => server.closeAllConnections(), patienceMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(end);
  };
  return {
    port: typeof address === 'object' && address ? address.port : at.port,
    sayGoodbye: () => underWay.sayGoodbye(),
    drain: (patienceMs) => (drained ??= drain(patienceMs)),
  };
}
