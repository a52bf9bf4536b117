import type { Middleware } from 'koa';
import { defaultTimeoutMs, inTime } from '../in-time.ts';

/** Gives a request up that takes too long: with 503 before its handler began, else with 504. */
export const deadline =
  (timeoutMs: number = defaultTimeoutMs): Middleware =>
  (ctx, next) =>
    inTime((progress) => {
      ctx.state.progress = progress;
      return next();
    }, timeoutMs);
