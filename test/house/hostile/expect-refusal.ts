import { expect } from '@jest/globals';
import type { Answer } from '../../support/api.ts';

/** The interface's words for a caller who did something wrong (spec 7), and what HTTP itself adds. */
const refused = [400, 401, 404, 405, 409, 413];

const keys = new Set(['message', 'errors', 'parameters']);

/** Expects a documented refusal in the platform's envelope, without a word of SQL, code or hosts. */
export function expectRefusal(asked: string, { status, body, headers }: Answer): void {
  const shape = {
    asked,
    isRefused: refused.includes(status),
    type: headers.get('content-type'),
    message: typeof body?.message,
    unknownKeys: Object.keys(body ?? {}).filter((key) => !keys.has(key)),
    tellsTooMuch: /select |insert into|node_modules|\.ts:|ECONN|postgres|stack/i.test(
      JSON.stringify(body?.message ?? ''),
    ),
  };
  expect({ ...shape, answer: shape.isRefused ? undefined : { status, body } }).toEqual({
    asked,
    isRefused: true,
    type: 'application/json; charset=utf-8',
    message: 'string',
    unknownKeys: [],
    tellsTooMuch: false,
    answer: undefined,
  });
}
