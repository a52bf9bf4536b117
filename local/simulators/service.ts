import type { Context, Middleware } from 'koa';
import { koaBody } from 'koa-body';
import compose from 'koa-compose';

/** What the simulated services share: they read and write JSON, and may hang up or stay silent. */

export interface SimulatedAnswer {
  status: number;
  body: unknown;
}

export const send = (context: Context, { status, body }: SimulatedAnswer): void =>
  void Object.assign(context, { status, body });

export const refusal = (status: number, code: string, message: string): SimulatedAnswer => ({
  status,
  body: { code, message },
});

export const unknownPath = refusal(404, 'unknown_path', 'There is no such path.');

/** Nothing is answered from here on; the caller hangs up, or its time is over. */
export const staySilent = (context: Context): void => void (context.respond = false);

export function hangUp(context: Context): void {
  context.respond = false;
  context.req.socket.destroy();
}

/**
 * Reads a body as JSON, whatever its sender calls it: `curl -d` calls everything a form. What cannot be read, or is
 * longer, counts as no body: a service that plays has an answer to it.
 */
export const readBody = (limit: string): Middleware =>
  compose([
    koaBody({
      ...{ jsonLimit: limit, textLimit: limit, formLimit: limit },
      ...{ includeUnparsed: true, jsonStrict: false, onError: () => undefined },
    }),
    asJson,
  ]);

const asJson: Middleware = (context, next) => {
  try {
    context.request.body = JSON.parse(textOf(context));
  } catch {
    context.request.body = null;
  }
  return next();
};

/** The body as it came; empty where there is none. */
export const textOf = ({ request }: Pick<Context, 'request'>): string =>
  typeof request.rawBody === 'string' ? request.rawBody : '';

/** Empty where there is no such text. */
export function textIn(body: unknown, key: string): string {
  const value: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
  return typeof value === 'string' ? value : '';
}
