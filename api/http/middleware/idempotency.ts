import type { Middleware } from 'koa';
import { JsonStream } from '../../wire/json-stream.ts';
import { answerOnce } from '../answer-once.ts';
import type { ApiParts } from '../api-parts.ts';
import type { AnyRoute } from '../route.ts';
import type { Within } from '../within.ts';
import type { Handler } from './handle.ts';

/**
 * Carries a request out once for its `Idempotency-Key`; the refusals are those of `answerOnce`.
 *
 * A transaction may call the handler again, and Koa's `next` can be called once only: so the handler is given.
 */
export const idempotency =
  (parts: ApiParts, route: AnyRoute, handler: Handler): Middleware =>
  async (ctx) => {
    const { heard: request, sources, caller, store } = ctx.state;
    let answered: Awaited<ReturnType<Handler>> = [];
    const work = async (within: Within) => {
      answered = await handler(ctx, within);
      return answered instanceof JsonStream ? [] : answered;
    };
    const pieces = await answerOnce({ parts, request, route, sources, caller, store, work });
    ctx.state.answer = answered instanceof JsonStream ? answered : pieces;
  };
