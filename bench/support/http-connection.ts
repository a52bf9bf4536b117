import { connect, type Socket } from 'node:net';

export interface Sent {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

export interface HttpConnection {
  /** Sends one request and gives the status when the whole answer is here. One at a time. */
  send: (request: Sent) => Promise<number>;
  close: () => void;
}

/** Longer than any request that a bench sends. */
const answerWithinMs = 20_000;

/**
 * A connection that is kept for one request after another, as cheap as it can be: its processor time is not the
 * measured server's. Rejects when the server hangs up or does not answer.
 */
export async function openConnection(url: string): Promise<HttpConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setNoDelay(true);
  socket.setTimeout(answerWithinMs, () => socket.destroy(new Error(`${url} did not answer.`)));
  let [received, resolve, reject]: Waiting = [Buffer.alloc(0), undefined, undefined];
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const status = statusOfWhole(received);
    if (status === undefined) return;
    received = Buffer.alloc(0);
    resolve?.(status);
  });
  const fail = (error: Error) => reject?.(error);
  socket.on('error', fail).on('close', () => fail(new Error(`${url} hung up.`)));
  await connected(socket);
  return {
    send: (request) =>
      new Promise<number>((done, refused) => {
        [resolve, reject] = [done, refused];
        socket.write(textOf(request, `${hostname}:${port}`));
      }),
    close: () => void socket.destroy(),
  };
}

type Waiting = [Buffer, ((status: number) => void) | undefined, ((error: Error) => void) | undefined];

const connected = (socket: Socket) =>
  new Promise<void>((resolve, reject) => void socket.once('connect', () => resolve()).once('error', reject));

function textOf({ method, path, headers, body }: Sent, host: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}${length}\r\n${body ?? ''}`;
}

const headEnd = '\r\n\r\n';

/** The status, once all of the answer is here. */
function statusOfWhole(received: Buffer): number | undefined {
  const end = received.indexOf(headEnd);
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end).toLowerCase();
  const status = Number(head.slice(9, 12));
  const start = end + headEnd.length;
  if (status === 204 || status === 304) return status;
  if (head.includes('\r\ntransfer-encoding: chunked')) return isLastChunkIn(received, start) ? status : undefined;
  const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0);
  return received.length >= start + length ? status : undefined;
}

function isLastChunkIn(received: Buffer, start: number): boolean {
  for (let at = start; ;) {
    const end = received.indexOf('\r\n', at);
    if (end < 0) return false;
    const size = Number.parseInt(received.toString('latin1', at, end), 16);
    at = end + 2 + size + 2;
    if (at > received.length) return false;
    if (size === 0) return true;
  }
}
