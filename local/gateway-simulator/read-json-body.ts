import coBody from 'co-body';
import type { Context, Next } from 'koa';

declare module 'koa' {
  interface Request {
    body?: unknown;
  }
}

const jsonTypes = [
  'application/json',
  'application/json-patch+json',
  'application/vnd.api+json',
  'application/csp-report',
  'application/reports+json',
];
const withBody = ['POST', 'PUT', 'PATCH'];

/**
 * Reads the JSON of a request as `context.request.body`; any other body is left alone. Refused with: 400 no JSON, or neither
 * an object nor a list · 413 more than `limit`.
 */
export const readJsonBody = (limit: string) => async (context: Context, next: Next) => {
  if (withBody.includes(context.method.toUpperCase()) && context.is(jsonTypes))
    Object.assign(context.request, { body: await coBody.json(context, { encoding: 'utf-8', limit, strict: true }) });
  return next();
};
