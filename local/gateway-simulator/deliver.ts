import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'koa';
import type { Manner } from './behaviours.ts';
import type { Modes } from './records.ts';

export interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Sends an answer as the outcome says: properly, late, never, or as something unreadable. */
export async function deliver(
  context: Context,
  { manner, modes, reply }: { manner: Manner; modes: Modes; reply: Reply },
): Promise<void> {
  if (manner === 'slow') await wait(modes.slowMs, undefined, { ref: false });
  if (manner === 'silent') await untilHungUp(context, modes.silenceMs);
  switch (manner) {
    case 'prompt':
    case 'slow':
      if (reply.headers) context.set(reply.headers);
      Object.assign(context, { status: reply.status, body: reply.body });
      return;
    case 'dropped':
    case 'silent':
      context.respond = false;
      context.res.destroy();
      return;
    case 'error':
      Object.assign(context, { status: 500, type: 'html', body: '<h1>500 Internal Server Error</h1>' });
      return;
    case 'garbage':
      Object.assign(context, { status: 200, type: 'json', body: '{"status":"succ\u0000\u0007<!doctype html>' });
  }
}

/** Stays silent as long as the mode says, but only while the caller listens. */
async function untilHungUp(context: Context, silenceMs: number): Promise<void> {
  const hungUp = new AbortController();
  context.res.once('close', () => hungUp.abort());
  await wait(silenceMs, undefined, { ref: false, signal: hungUp.signal }).catch(() => undefined);
}
