import { connect, type Socket } from 'node:net';
import type { BenchProcess } from './processes.ts';
import type { Load, Scenario } from './scenario.ts';
import { sendChain } from './send-chain.ts';
import { pathOf, send } from './send.ts';
import { cpuTimeMs, median } from './support.ts';

export interface ChainVolley {
  /** The process whose processor time is measured. */
  pid: number;
  seconds: number;
  /** Of each connection: runs one chain, from its first request to its last answer. */
  lanes: readonly (() => Promise<unknown>)[];
}

interface Hits {
  perSecond: number;
  p50Ms: number;
  /** Processor time of the process per chain, which a busy machine hardly changes. */
  cpuMs: number;
}

/** For a number of seconds each connection starts the next chain when its last one has ended. */
async function fireChains({ pid, seconds, lanes }: ChainVolley): Promise<Hits> {
  const [before, began] = [cpuTimeMs(pid) ?? Number.NaN, performance.now()];
  const times: number[] = [];
  const keepFiring = async (one: () => Promise<unknown>) => {
    while (performance.now() - began < seconds * 1_000) {
      const start = performance.now();
      await one();
      times.push(performance.now() - start);
    }
  };
  await Promise.all(lanes.map(keepFiring));
  const perSecond = (times.length * 1_000) / (performance.now() - began);
  return { perSecond, p50Ms: median(times), cpuMs: ((cpuTimeMs(pid) ?? Number.NaN) - before) / times.length };
}

interface Sent {
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
async function openConnection(url: string): Promise<HttpConnection> {
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

export interface Volley {
  url: string;
  /** The process whose processor time is measured. */
  pid: number;
  connections: number;
  seconds: number;
  /** The n-th request. */
  next: () => Sent;
}

/** Sends requests as fast as they are answered, for a number of seconds. Throws when one of them failed. */
async function fire({ url, pid, connections, seconds, next }: Volley): Promise<Hits> {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(url)));
  const lanes = open.map(({ send }) => async () => {
    const request = next();
    const status = await send(request);
    if (status >= 400) throw new Error(`${request.method} ${url}${request.path} answered ${status}.`);
  });
  try {
    return await fireChains({ pid, seconds, lanes });
  } finally {
    for (const { close } of open) close();
  }
}

export interface Comparison {
  scenario: Scenario;
  /** The recording that the baseline replays. */
  index: number;
  load: Load;
  rounds: number;
  seconds: number;
  token: string;
  api: BenchProcess;
  plain: BenchProcess;
  /** How many statements the API sent for one request. */
  statements: number;
  say: (line: string) => void;
}

export interface Compared {
  name: string;
  load: Load;
  statements: number;
  rounds: { api: Hits; plain: Hits }[];
}

const warmUpSeconds = 1;

/** Counts the requests of a scenario over all loads and both sides, so that unique subjects are used once. */
const counts = new WeakMap<Scenario, number>();

function nextSubject(scenario: Scenario): number {
  const count = (counts.get(scenario) ?? 1) + 1;
  counts.set(scenario, count);
  return scenario.subjectOf(count);
}

/** One path under one load: API and baseline alternate, so that both run under the same conditions. */
export async function compare(comparison: Comparison): Promise<Compared> {
  const { scenario, load, rounds, seconds, statements, say } = comparison;
  const name = `${scenario.name}, ${load.connections} connections`;
  const [api, plain] = [toApi(comparison), toPlain(comparison)];
  await api(warmUpSeconds);
  await plain(warmUpSeconds);
  const done: Compared['rounds'] = [];
  for (let round = 1; round <= rounds; round++) {
    const hits = { api: await api(seconds), plain: await plain(seconds) };
    done.push(hits);
    say(
      `  ${name}, round ${round}: ${Math.round(hits.api.perSecond)} beside ${Math.round(hits.plain.perSecond)} a second`,
    );
  }
  return { name: scenario.name, load, statements, rounds: done };
}

function toApi({ scenario, load, token, api }: Comparison) {
  const chain = () => sendChain(scenario, nextSubject(scenario), (request) => send(api.url, token, request));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  if (scenario.next)
    return (seconds: number) =>
      fireChains({ ...api, seconds, lanes: Array.from({ length: load.connections }, () => chain) });
  const next = () => {
    const request = scenario.request(nextSubject(scenario));
    const { method, body, headers: more } = request;
    return {
      method,
      path: pathOf(request),
      headers: { ...headers, ...more },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  };
  return (seconds: number) => fire({ ...api, connections: load.connections, seconds, next });
}

function toPlain({ scenario, load, index, plain }: Comparison) {
  const headers = { 'content-type': 'application/json' };
  const next = () => {
    const subject = nextSubject(scenario);
    const { method, body } = scenario.request(subject);
    return {
      method,
      path: `/${index}/${subject}`,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    };
  };
  const { connections } = load;
  const one = () => sendTo(plain, next());
  if (scenario.next)
    return (seconds: number) =>
      fireChains({ ...plain, seconds, lanes: Array.from({ length: connections }, () => one) });
  return (seconds: number) => fire({ ...plain, connections, seconds, next });
}

async function sendTo({ url }: BenchProcess, { path, ...request }: { path: string; method: string; body?: string }) {
  const response = await fetch(url + path, request);
  await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
}
