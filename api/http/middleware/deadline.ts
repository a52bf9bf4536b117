import type { Middleware } from 'koa';
import { troubleOf } from '../../../db/support/connections/database-trouble.ts';
import { PosError } from '../../../domain/errors.ts';
import { databaseLostMeanwhile, workflowsAway } from '../../../domain/refusals/platform.ts';
import { defaultTimeoutMs, inTime } from '../in-time.ts';
import type { AnyRoute } from '../route.ts';

/** Gives a request up that takes too long: with 503 before its handler began, or where it writes, else with 504. */
export const deadline =
  (timeoutMs: number = defaultTimeoutMs, writeTimeoutMs?: number): Middleware =>
  (ctx, next) =>
    inTime(
      (progress) => {
        ctx.state.progress = progress;
        if (ctx.method !== 'GET' && ctx.method !== 'HEAD') progress.isWrite();
        return next();
      },
      timeoutMs,
      writeTimeoutMs,
    );

/** A refusal that says so where a worker may have the request of a caller whose database went away meanwhile. */
export const lostMeanwhile = (route: AnyRoute): readonly Middleware[] =>
  waitsForWorker(route)
    ? [
        async ({ state }, next) => {
          try {
            await next();
          } catch (error) {
            throw state.progress.hasBegun() && isLost(error) ? lostDatabase(error) : error;
          }
        },
      ]
    : [];

/** The database went away meanwhile, or was silent: the worker may have the request, and may carry it out. */
const isLost = (error: unknown): boolean => ['away', 'unknown'].includes(troubleOf(error) ?? '');

const lostDatabase = (cause: unknown) => new PosError(databaseLostMeanwhile().refusal, { cause });

/** Documents and verbs that move money back. */
const refundPath = /\/(?:refund|creditmemo|cancel|rma)(?:\/|$)/;

/** A write that gives money back, or one that asks a worker. */
const waitsForWorker = ({ method, path, outcomes = [] }: Pick<AnyRoute, 'method' | 'path' | 'outcomes'>) =>
  method !== 'GET' &&
  (refundPath.test(path) ||
    outcomes.some(({ code, message }) => code === 'gateway_uncertain' || message === workflowsAway.message));
