import type { Middleware } from 'koa';
import { PosError } from '../../../domain/errors.ts';
import type { Log } from '../../../providers/log.ts';
import { EventStream, wantsEvents } from '../../wire/event-stream.ts';
import { JsonStream } from '../../wire/json-stream.ts';
import { writeJson } from '../write-answer.ts';
import { writeEvents, writeStream } from '../write-stream.ts';
import { shownPath } from './errors.ts';
import { restPrefix } from './request-id.ts';

/**
 * Writes what a route answered, as JSON (platform facts 2.1). Stands around the deadline: of a request that was given up,
 * nothing is written later.
 *
 * Refused with 406: the caller takes no JSON.
 */
export const answers =
  (log: Log): Middleware =>
  async (ctx, next) => {
    if (!wantsEvents(ctx.state.path, ctx.req.headers.accept)) checkAccept(ctx.req.headers.accept);
    await next();
    const { answer, headers, status, route, requestId } = ctx.state;
    if (route?.isPrivate === true) headers.set('Cache-Control', 'no-store');
    if (!(answer instanceof JsonStream)) return writeJson(ctx, answer, headers, status);
    const failed = (error: unknown) =>
      log.warn({ requestId, error, path: shownPath(ctx, [restPrefix]) }, 'an answer broke off');
    return answer instanceof EventStream
      ? writeEvents(ctx, answer, { headers, failed })
      : writeStream(ctx, answer, { headers, failed });
  };

function checkAccept(accept: string | undefined): void {
  if (accept === undefined || accept === '' || /json|\*\/\*|application\/\*/i.test(accept)) return;
  const message = `Server cannot match any of the given Accept HTTP header media type(s) from the request: "${accept.slice(0, 200)}" with media types from the config of response renderer.`;
  throw new PosError({ status: 406, message });
}
