import type { Context } from 'koa';
import { Webhook } from 'standardwebhooks';
import { hangUp, send, staySilent, textIn, textOf, unknownPath } from './service.ts';

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

/** What came, and how what comes is answered. */
export interface CaughtWebhooks {
  /** Newest first. */
  caught: CaughtDelivery[];
  /** By path; `*`: of all others. */
  moods: Map<string, CatcherMood>;
  /** The secrets that verify what comes to a path. */
  secrets: Map<string, string>;
}

/** Older ones are forgotten, so that a demo that runs for weeks does not fill the memory. */
const mostStored = 50_000;
/** Longer than a sender waits. */
const slowMs = 30_000;

const statuses: Readonly<Record<Exclude<CatcherMood, 'slow' | 'closes'>, number>> = {
  takes: 204,
  fails: 500,
  moved: 302,
  gone: 404,
};

export const caughtWebhooks = (): CaughtWebhooks => ({ caught: [], moods: new Map(), secrets: new Map() });

/**
 * Takes every delivery and shows it: `GET /deliveries`. It verifies signatures where it knows the secret, `PUT
 * /secret/<path>`, and fails on purpose, `PUT /mood/<path>` with one of the moods. Deliveries are what comes by POST.
 *
 * @param path below the catcher's address
 */
export function catchWebhook(catcher: CaughtWebhooks, context: Context, path: string): void {
  if (context.method === 'POST') return take(catcher, context, path);
  if (context.method === 'GET') return send(context, { status: 200, body: catcher.caught.slice(0, 200) });
  const [, what, of = ''] = path.split('/');
  const text = textOf(context).trim();
  if (context.method === 'DELETE') catcher.caught.length = 0;
  else if (context.method === 'PUT' && what === 'mood') catcher.moods.set(of ? `/${of}` : '*', moodOf(text));
  else if (context.method === 'PUT' && what === 'secret') catcher.secrets.set(of ? `/${of}` : '*', text);
  else return send(context, unknownPath);
  context.status = 204;
}

const moodOf = (text: string): CatcherMood => catcherMoods.find((mood) => mood === text) ?? 'takes';

function take(catcher: CaughtWebhooks, context: Context, path: string): void {
  const mood = catcher.moods.get(path) ?? catcher.moods.get('*') ?? 'takes';
  const text = textOf(context);
  const body = context.request.body ?? text;
  catcher.caught.unshift({
    id: context.get('webhook-id'),
    at: new Date().toISOString(),
    type: textIn(body, 'type'),
    path,
    isSigned: isSigned(catcher.secrets.get(path) ?? catcher.secrets.get('*'), context, text),
    mood,
    body,
  });
  catcher.caught.splice(mostStored);
  if (mood === 'closes') return hangUp(context);
  if (mood === 'slow') {
    staySilent(context);
    return void setTimeout(() => context.res.writeHead(200).end(), slowMs).unref();
  }
  if (mood === 'moved') context.set('location', 'elsewhere');
  Object.assign(context, { status: statuses[mood], body: mood === 'takes' ? null : `it ${mood}` });
}

function isSigned(secret: string | undefined, { headers }: Context, text: string): boolean | null {
  if (secret === undefined || headers['webhook-signature'] === undefined) return null;
  try {
    const input = Object.entries(headers).map(([name, value]) => [name, String(value)]);
    new Webhook(secret).verify(text, Object.fromEntries(input));
    return true;
  } catch {
    return false;
  }
}
