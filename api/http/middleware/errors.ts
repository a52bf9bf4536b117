import type { Context, Middleware } from 'koa';
import type { Log } from '../../../providers/log.ts';
import { refusalFor } from '../../wire/envelope.ts';
import { jsonHeaders, setAll, writeRefusal } from '../write-answer.ts';
import { restPrefix } from './request-id.ts';

/**
 * Answers every error in one envelope (platform facts 2).
 *
 * @param secretBelow prefixes of paths with a secret of the caller: log lines show only the prefix
 */
export function errors(log: Log, secretBelow: readonly string[]): Middleware {
  const shown = (ctx: Context) => shownPath(ctx, [restPrefix, ...secretBelow]);
  return async (ctx, next) => {
    const { method, state } = ctx;
    const { requestId, headers } = state;
    try {
      await next();
    } catch (thrown) {
      setAll(ctx, jsonHeaders);
      setAll(ctx, headers);
      const ownFault = state.way === 'now' ? state.route?.fault : undefined;
      state.refusal = refusalFor(thrown, log, { requestId, method, path: shown(ctx) }, ownFault);
      writeRefusal(ctx, state.refusal);
    }
  };
}

/** The path for log lines: with its ids, without other values of the caller, such as a gift card's code. */
export function shownPath({ state: { path, route, way }, params }: Context, secretBelow: readonly string[]): string {
  if (!route) return secretBelow.find((prefix) => path.startsWith(prefix)) ?? path;
  if (way !== 'now') return `${restPrefix}${way === 'bulk' ? 'async/bulk' : 'async'}${route.path}`;
  return (
    restPrefix +
    route.path.slice(1).replaceAll(/:(\w+)/g, (variable, name: string) => shownId(name, params) ?? variable)
  );
}

const shownId = (name: string, { [name]: value = '' }: Readonly<Record<string, string>>) =>
  /^(?:id|\w+Id)$/.test(name) && /^-?\d{1,16}$/.test(value) ? value : undefined;
