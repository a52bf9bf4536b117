import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import { isObject, readLongJson } from '../../wire/read-json.ts';
import { checkContentType, decodeLong, hasBody, readBytes, tooLarge } from '../read-bytes.ts';
import type { AnyRoute, Caller } from '../route.ts';

/** The largest accepted body. A receipt of a hundred lines is a tenth of it. */
export const maxBodyBytes = 1_048_576;

/** The largest from callers whom nobody let in: guests, and customers, who open their accounts themselves. */
export const maxStrangersBytes = 65_536;

/** What a body of a route may be. */
type BodyLimits = Pick<AnyRoute, 'takesAnyJson' | 'mostBytes' | 'largestBody'>;

/** Whether a route of this verb takes a body: of any other it is not read. */
export const takesBody = (method: string) => method === 'POST' || method === 'PUT';

/** Reads the body of a route. Refused as `readJsonBody`. */
export const body = (route: AnyRoute): Middleware =>
  takesBody(route.method)
    ? async (ctx, next) => {
        ctx.state.body = await ctx.state.progress.whileSent(() =>
          readJsonBody(ctx, limitsFor(route, ctx.state.caller)),
        );
        return next();
      }
    : (ctx, next) => {
        ctx.state.body = {};
        return next();
      };

/** A stranger's body is small, whatever the route takes from others: some hundred of them may be slow at a time. */
const limitsFor = (limits: BodyLimits, { userType }: Pick<Caller, 'userType'>): BodyLimits =>
  userType === 'guest' || userType === 'customer'
    ? { ...limits, largestBody: Math.min(limits.largestBody ?? maxBodyBytes, maxStrangersBytes) }
    : limits;

/**
 * The JSON object of a request's body; an absent body is an empty one (platform facts 2.3).
 *
 * Refused with: 400 a content type that is not JSON in UTF-8, or no JSON · 413 more than 1 MB, or than the route takes.
 *
 * @param takesAnyJson also accepts JSON that PostgreSQL cannot store, because of its depth or characters
 * @param mostBytes for a route that refuses no body: a larger one counts as empty
 */
export async function readJsonBody(
  ctx: Context,
  { takesAnyJson = false, mostBytes, largestBody = maxBodyBytes }: BodyLimits,
): Promise<Readonly<Record<string, unknown>>> {
  const bytes = await readBytes(ctx, mostBytes ?? largestBody);
  if (bytes === 'too_large' && mostBytes === undefined) throw tooLarge(largestBody);
  if (bytes === 'too_large' || (bytes.length === 0 && (await isEmpty(ctx)))) return {};
  checkContentType(ctx.req.headers['content-type']);
  const value = await readLongJson(await decodeLong(bytes), { takesAnyJson });
  return isObject(value) ? value : {};
}

/** Whether a body is empty of which no bytes were read: one whose type cannot be read may have some. */
async function isEmpty(ctx: Context): Promise<boolean> {
  return ctx.is('*/*') !== false || !hasBody(ctx) || !(await hasBytes(ctx.req));
}

async function hasBytes(request: IncomingMessage): Promise<boolean> {
  for await (const _ of request.iterator({ destroyOnReturn: false })) return true;
  return false;
}
