import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** What may happen to a request between a register and the service. */
export type Fault =
  /** It never arrives, and the connection breaks. */
  | { kind: 'cut' }
  /** The service carries it out; its answer is lost. */
  | { kind: 'answer_lost' }
  /** Half of the answer arrives, and the connection breaks. */
  | { kind: 'half_an_answer' }
  /** The answer comes so much later. */
  | { kind: 'late'; ms: number }
  /** It arrives twice; the register hears the second answer. */
  | { kind: 'twice' }
  /** Somebody answers in the place of the service; the service never hears of it. */
  | { kind: 'answered'; status: number; body?: unknown; retryAfterSeconds?: number }
  /** The service carries it out; somebody answers otherwise, as a gateway between them does. */
  | { kind: 'answered_after'; status: number }
  /** The answer is the service's, with these keys changed. */
  | { kind: 'changed'; body: Readonly<Record<string, unknown>> };

/** For the next requests that fit, in their order. */
export interface Trouble {
  method?: string;
  /** Of the path below `/rest`. */
  path: RegExp;
  /** So many requests that fit pass first. */
  after?: number;
  times: number;
  fault: Fault;
}

/** What went over the line. */
export interface Exchange {
  /** Counted from 0. */
  at: number;
  method: string;
  path: string;
  key: string | null;
  body: string;
  /** When it came, in milliseconds since the line began. */
  ms: number;
  fault: Fault['kind'] | null;
  /** What the register heard; null: nothing. */
  status: number | null;
  answer: string;
  /** How long the answer asked it to wait; null: it asked for nothing. */
  retryAfterMs: number | null;
}

export interface Line {
  /** For the register, in place of the service's own: with `/rest`. */
  url: string;
  /** Plans trouble, in place of what was planned before. */
  plan: (troubles: readonly Trouble[]) => void;
  /** While it is down, every request is cut. */
  down: () => void;
  up: () => void;
  exchanges: readonly Exchange[];
  close: () => Promise<void>;
}

/** Longer bodies are refused by the service, too, but for telemetry. */
const mostBytes = 16 * 1024 * 1024;
const hopByHop = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'keep-alive',
]);

/**
 * A line between a register and the service that can be disturbed at chosen moments, and remembers what went over it.
 *
 * @param service the address of the service with `/rest`
 */
export async function openLine(service: string, { port = 0 }: { port?: number } = {}): Promise<Line> {
  const began = performance.now();
  const exchanges: Exchange[] = [];
  let troubles: { trouble: Trouble; passing: number; left: number }[] = [];
  let isDown = false;

  const faultOf = (method: string, path: string): Fault | null => {
    if (isDown) return { kind: 'cut' };
    const fitting = troubles.filter(
      ({ trouble, left }) => left > 0 && (trouble.method ?? method) === method && trouble.path.test(path),
    );
    const found = fitting.find(({ passing }) => passing <= 0);
    for (const one of fitting) one.passing -= 1;
    if (!found) return null;
    found.left -= 1;
    return found.trouble.fault;
  };

  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    void carry(request, response).catch(() => response.destroy());
  });

  async function carry(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET' } = request;
    const path = (request.url ?? '/').replace(/^\/rest/, '');
    const body = await textOf(request);
    const fault = faultOf(method, path);
    const key = request.headers['idempotency-key'];
    const exchange: Exchange = {
      ...{ at: exchanges.length, method, path, body, status: null, answer: '', retryAfterMs: null },
      key: typeof key === 'string' ? key : null,
      ms: performance.now() - began,
      fault: fault?.kind ?? null,
    };
    exchanges.push(exchange);
    const forward = () => forwarded(`${service}${path}`, { request, method, body });
    const answered = await answerBy(fault, forward);
    if (!answered) return void response.destroy();
    const text = fault?.kind === 'half_an_answer' ? answered.text.slice(0, answered.text.length / 2) : answered.text;
    response.writeHead(answered.status, {
      ...answered.headers,
      'content-length': String(Buffer.byteLength(answered.text)),
    });
    if (fault?.kind === 'half_an_answer') {
      response.write(text, () => response.destroy());
      return;
    }
    exchange.status = answered.status;
    const asked = answered.headers['retry-after'];
    exchange.retryAfterMs = asked === undefined ? null : Number(asked) * 1_000;
    exchange.answer = text;
    response.end(text);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}/rest`,
    plan(planned) {
      troubles = planned.map((trouble) => ({ trouble, passing: trouble.after ?? 0, left: trouble.times }));
    },
    down() {
      isDown = true;
    },
    up() {
      isDown = false;
    },
    exchanges,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Answered {
  status: number;
  headers: Record<string, string>;
  text: string;
}

async function answerBy(fault: Fault | null, forward: () => Promise<Answered>): Promise<Answered | undefined> {
  switch (fault?.kind) {
    case 'cut':
      return undefined;
    case 'answer_lost':
      await forward();
      return undefined;
    case 'answered':
      return {
        status: fault.status,
        headers: {
          'content-type': 'application/json',
          ...(fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) }),
        },
        text: JSON.stringify(fault.body ?? { message: 'The service is busy. Try again.' }),
      };
    case 'answered_after':
      await forward();
      return { status: fault.status, headers: { 'content-type': 'text/html' }, text: '<h1>Gateway Time-out</h1>' };
    case 'late': {
      const answer = await forward();
      await pause(fault.ms);
      return answer;
    }
    case 'twice':
      await forward();
      return forward();
    case 'changed': {
      const answer = await forward();
      const body: unknown = JSON.parse(answer.text);
      return { ...answer, text: JSON.stringify({ ...Object(body), ...fault.body }) };
    }
    case 'half_an_answer':
    case undefined:
      return forward();
  }
}

async function forwarded(
  url: string,
  { request, method, body }: { request: IncomingMessage; method: string; body: string },
): Promise<Answered> {
  const headers = Object.fromEntries(
    Object.entries(request.headers).flatMap(([name, value]) =>
      hopByHop.has(name) || typeof value !== 'string' ? [] : [[name, value]],
    ),
  );
  const response = await fetch(url, { method, headers, ...(body === '' ? {} : { body }) });
  const kept = [...response.headers].filter(([name]) => !hopByHop.has(name) && name !== 'content-encoding');
  return { status: response.status, headers: Object.fromEntries(kept), text: await response.text() };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    length += bytes.length;
    if (length > mostBytes) throw new Error('The body is too large for this line.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString();
}
