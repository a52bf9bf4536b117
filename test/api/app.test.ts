import { expect, test } from 'vitest';
import { z } from 'zod';
import { route } from '../../api/http/route.ts';
import { testApi } from '../support/api.ts';
import { secretKey } from '../support/builders/counter.ts';
import { Website } from '../../db/platform/stores/website.entity.ts';

test('every line that is logged while a request is answered names the request', async () => {
  const lines: string[] = [];
  let noteLogged: (() => void) | undefined;
  const logged = new Promise<void>((resolve) => (noteLogged = resolve));
  const api = await testApi({
    readLog: (line) => lines.push(line),
    routes: [
      route({
        method: 'GET',
        path: '/V1/layaways-like',
        acl: 'anonymous',
        summary: 'Logs on the way, and after the answer',
        response: z.boolean(),
        handle: async ({ em, log }) => {
          await em.count(Website);
          log.warn({ orderId: 7 }, 'a layaway is not followed yet');
          setImmediate(() => {
            log.warn({ orderId: 7 }, 'its workflow did not hear of it');
            noteLogged?.();
          });
          return true;
        },
      }),
    ],
  });
  await api.call('GET', '/V1/layaways-like', { headers: { 'X-Request-Id': 'till-7-4711' } });
  await logged;
  await api.close();

  const warned = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 40);
  expect(warned).toMatchObject([
    { requestId: 'till-7-4711', orderId: 7, msg: 'a layaway is not followed yet' },
    { requestId: 'till-7-4711', orderId: 7, msg: 'its workflow did not hear of it' },
  ]);
});

test.each([
  ['the link of a confirmation mail', '/newsletter/confirm/', `7/${'a1'.repeat(32)}`],
  ['the page of a receipt', '/receipt/', 'b2'.repeat(32)],
])('no line of the log shows %s', async (_what, prefix, secret) => {
  const lines: string[] = [];
  const api = await testApi({
    readLog: (line) => lines.push(line),
    settings: { POS_SECRET_KEY: secretKey },
    routes: [],
  });
  for (const method of ['GET', 'POST', 'PUT']) await api.call(method, prefix + secret);
  await api.close();

  expect(lines.map((line) => JSON.parse(line).path)).toContain(prefix);
  expect(lines.join()).not.toContain(secret);
});
