import type { z } from 'zod';
import { isObject } from './is-object.ts';

/**
 * Shorter ways through zod for the schemas that a large order runs thousands of times. Each gives what zod's own way
 * gives, with the same issues in the same order.
 */

type Run = z.core.$ZodType['_zod']['run'];
type Payload = Parameters<Run>[0];

/**
 * Lets an object schema run only the keys that were sent. zod's own parser runs every key of the shape, and an order's
 * line has over a hundred that nobody sends. Keys that nothing may replace when absent are still run.
 */
export function quickObject<Schema extends z.ZodObject>(schema: Schema, unknownKeys: 'refused' | 'dropped'): Schema {
  const parts = Object.entries<z.core.$ZodType>(schema.shape).map(([key, part]) => {
    const { optin, optout } = part._zod;
    return { key, part, mayBeSkipped: optin === 'optional' && optout === 'optional' };
  });
  const names = new Set(parts.map(({ key }) => key));
  const slow = schema._zod.run.bind(schema._zod);
  const run: Run = (payload, context) => {
    const given = payload.value;
    if (context.async !== false || context.direction === 'backward' || !isObject(given)) return slow(payload, context);
    const read: Record<string, unknown> = {};
    for (const { key, part, mayBeSkipped } of parts) {
      const isSent = Object.hasOwn(given, key);
      if (!isSent && mayBeSkipped) continue;
      const done = part._zod.run({ value: isSent ? given[key] : undefined, issues: [] }, context);
      if (done instanceof Promise) return slow(payload, context);
      noteIssues(payload, done, key);
      if (isSent || done.value !== undefined) read[key] = done.value;
    }
    if (unknownKeys === 'refused') {
      const keys = Object.keys(given).filter((key) => !names.has(key));
      if (keys.length > 0)
        payload.issues.push({ code: 'unrecognized_keys', keys, input: given, inst: schema, continue: true });
    }
    payload.value = read;
    return payload;
  };
  return replaceRun(schema, run);
}

/** Lets a schema of one value run a single function instead of a codec's five. */
export function quickValue<Schema extends z.core.$ZodType>(
  schema: Schema,
  decode: (given: unknown, context: { issues: z.core.$ZodRawIssue[] }) => unknown,
): Schema {
  const slow = schema._zod.run.bind(schema._zod);
  return replaceRun(schema, (payload, context) => {
    if (context.direction === 'backward') return slow(payload, context);
    payload.value = decode(payload.value, payload);
    return payload;
  });
}

function replaceRun<Schema extends z.core.$ZodType>(schema: Schema, run: Run): Schema {
  // zod keeps both: `run` is `parse` with the schema's checks, and these schemas have none.
  Object.assign(schema._zod, { run, parse: run });
  return schema;
}

function noteIssues(payload: Payload, { issues }: Payload, key: string): void {
  for (const issue of issues) payload.issues.push({ ...issue, path: [key, ...(issue.path ?? [])] });
}
