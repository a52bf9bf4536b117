import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepReceiptLogo } from '../../../../db/receipts/receipt-logo.repository.ts';
import { testApi, type TestApi } from '../../../support/api.ts';

const content = Buffer.from('a picture');
const digest = createHash('sha256').update(content).digest('hex');

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await keepReceiptLogo(api.orm.em.fork(), { digest, content, width: 1, height: 1 });
});
afterAll(() => api.close());

const get = (name: string, method = 'GET') => fetch(`${api.url}/receipt-logo/${name}`, { method });

test('a logo is served as a picture that never changes', async () => {
  const answer = await get(digest);
  expect(answer.status).toBe(200);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(content);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
});

test('a name asked for without the bytes has no body', async () => {
  const answer = await get(digest, 'HEAD');
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});

test.each([
  ['an unknown name', 'f'.repeat(64), 'GET'],
  ['no name of ours', '..%2Fetc', 'GET'],
  ['what is no way to ask', digest, 'DELETE'],
])('%s is not there', async (_what, name, method) => {
  expect((await get(name, method)).status).toBeGreaterThanOrEqual(404);
});
