import type { IncomingMessage, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { endOnSignal, startLittleServer, type LittleServer } from './little-server.ts';
import { readText, sendJson, textIn } from './service-simulator.ts';

/** How it answers a delivery: takes it, fails, is slow, answers with a status that is none of ours, or hangs up. */
export const catcherMoods = ['takes', 'fails', 'slow', 'moved', 'gone', 'closes'] as const;
export type CatcherMood = (typeof catcherMoods)[number];

export interface CaughtDelivery {
  id: string;
  at: string;
  type: string;
  /** The path it came to, so that one catcher is several endpoints. */
  path: string;
  /** Null: no secret is known for the path, or nothing was signed. */
  isSigned: boolean | null;
  mood: CatcherMood;
  body: unknown;
}

export interface WebhookCatcher extends LittleServer {
  /** Newest first. */
  caught: CaughtDelivery[];
  /** By path; `*`: of all others. */
  moods: Map<string, CatcherMood>;
  /** The secrets that verify what comes to a path. */
  secrets: Map<string, string>;
}

/** Older ones are forgotten, so that a demo that runs for weeks does not fill the memory. */
const mostStored = 50_000;
const longestBody = 1_048_576;
/** Longer than a sender waits. */
const slowMs = 30_000;

const statuses: Readonly<Record<Exclude<CatcherMood, 'slow' | 'closes'>, number>> = {
  takes: 204,
  fails: 500,
  moved: 302,
  gone: 404,
};

/**
 * Takes every delivery and shows it: `GET /deliveries`. It verifies signatures where it knows the secret, `PUT /secret/<path>`,
 * and fails on purpose, `PUT /mood/<path>` with one of the moods. Deliveries are what comes by POST.
 */
export async function startWebhookCatcher({ port = 0 }: { port?: number } = {}): Promise<WebhookCatcher> {
  const server = await startLittleServer({
    port,
    serve: (request, response, path) => serve(catcher, request, response, path),
  });
  const catcher: WebhookCatcher = { ...server, caught: [], moods: new Map(), secrets: new Map() };
  return catcher;
}

async function serve(
  catcher: WebhookCatcher,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): Promise<void> {
  const text = (await readText(request, longestBody)) ?? '';
  if (request.method === 'POST') return take(catcher, { request, response, path, text });
  if (request.method === 'GET') return sendJson(response, { status: 200, body: catcher.caught.slice(0, 200) });
  const [, what, of = ''] = path.split('/');
  if (request.method === 'DELETE') catcher.caught.length = 0;
  else if (request.method === 'PUT' && what === 'mood') catcher.moods.set(of ? `/${of}` : '*', moodOf(text));
  else if (request.method === 'PUT' && what === 'secret') catcher.secrets.set(of ? `/${of}` : '*', text.trim());
  else return sendJson(response, { status: 404, body: { message: 'There is no such path.' } });
  return void response.writeHead(204).end();
}

const moodOf = (text: string): CatcherMood => catcherMoods.find((mood) => mood === text.trim()) ?? 'takes';

interface Delivery {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  text: string;
}

async function take(catcher: WebhookCatcher, { request, response, path, text }: Delivery): Promise<void> {
  const mood = catcher.moods.get(path) ?? catcher.moods.get('*') ?? 'takes';
  const body = bodyOf(text);
  const header = (name: string) => String(request.headers[name] ?? '');
  catcher.caught.unshift({
    id: header('webhook-id'),
    at: new Date().toISOString(),
    type: textIn(body, 'type'),
    path,
    isSigned: isSigned(catcher.secrets.get(path) ?? catcher.secrets.get('*'), request, text),
    mood,
    body,
  });
  catcher.caught.splice(mostStored);
  if (mood === 'closes') return void request.socket.destroy();
  if (mood === 'slow') return void setTimeout(() => response.writeHead(200).end(), slowMs).unref();
  response.writeHead(statuses[mood], mood === 'moved' ? { location: '/elsewhere' } : {}).end(`it ${mood}`);
}

function isSigned(secret: string | undefined, { headers }: IncomingMessage, text: string): boolean | null {
  if (secret === undefined || headers['webhook-signature'] === undefined) return null;
  try {
    const input = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    new Webhook(secret).verify(text, Object.fromEntries(input));
    return true;
  } catch {
    return false;
  }
}

const bodyOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

if (import.meta.main) {
  const [port = 8093] = process.argv.slice(2).map(Number);
  const catcher = await startWebhookCatcher({ port });
  console.log(`webhook catcher ready at ${catcher.url}`);
  endOnSignal(catcher);
}
