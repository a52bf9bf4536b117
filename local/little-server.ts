import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP, isIPv4 } from 'node:net';

/** Headers of every answer of a little server: its content cannot be run, framed, guessed, or read by another site. */
const littleHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/**
 * The policy of our own page: only its own scripts, by their digests. A mail is shown in a frame that inherits the
 * policy: it may contain styles and pictures, but load nothing.
 */
export function pagePolicy(html: string): string {
  const scripts = html.split('<script>').slice(1);
  const known = scripts.map((from) => `'sha256-${hash('sha256', from.split('</script>')[0] ?? '', 'base64')}'`);
  return [
    "default-src 'none'",
    `script-src ${known.join(' ') || "'none'"}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The path of a request's target, without its query; undefined for an invalid address. Never throws: a sender may
 * write anything there, and `new URL` throws on `//`.
 */
function pathOf(target: string | undefined): string | undefined {
  if (target === undefined) return undefined;
  if (target.startsWith('/')) return upTo(target, ['?', '#']);
  // The absolute form, as a proxy sends it; `*` and the form of CONNECT are invalid here.
  return /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target).pathname : undefined;
}

const upTo = (text: string, signs: readonly string[]) =>
  text.slice(0, Math.min(...signs.map((sign) => (text.includes(sign) ? text.indexOf(sign) : text.length))));

/** A request that only reads may come from anywhere: a foreign page cannot read the answer. */
const reads = new Set(['GET', 'HEAD', 'OPTIONS']);
const everyAddress = new Set(['0.0.0.0', '::']);

/**
 * Why a request is refused; undefined where it is accepted.
 *
 * A foreign page can reach the loopback by a host name that leads there (DNS rebinding), or by a form. The first has
 * a foreign `Host`, the second a foreign `Origin`.
 *
 * @param host the address the server listens on
 * @param names its other names
 */
function foreignRequest(
  { method = '', headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { host, names }: { host: string; names: readonly string[] },
): string | undefined {
  const called = hostnameOf(headers.host);
  if (called === undefined || !(isLoopback(called) || [host, ...names].includes(called) || isAnyOf(host, called)))
    return 'This server is not called by that Host.';
  if (reads.has(method)) return undefined;
  const { origin } = headers;
  const isOwn = origin === undefined || origin === `http://${headers.host}` || origin === `https://${headers.host}`;
  return isOwn && headers['sec-fetch-site'] !== 'cross-site' ? undefined : 'Another site sent this request.';
}

/** A server on all addresses accepts every address of the machine; only a name can be pointed here by others. */
const isAnyOf = (host: string, called: string) => everyAddress.has(host) && isIP(called) !== 0;

const isLoopback = (name: string) =>
  name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));

/** Without the port, lower case, IPv6 without its brackets. */
function hostnameOf(host: string | undefined): string | undefined {
  const [, name] = /^(\[[\da-f:.]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?$/i.exec(host ?? '') ?? [];
  return name?.toLowerCase().replaceAll(/[[\]]/g, '');
}

export interface LittleServer {
  url: string;
  /** Closes every connection that still waits. */
  stop: () => Promise<void>;
}

/** The signals that tell a process to end, and not to break off. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A program that is one server: it stops and ends when it is told to. */
export function endOnSignal({ stop }: { stop: () => Promise<void> }): void {
  for (const signal of endings) process.once(signal, () => void stop().then(() => process.exit(0)));
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
