import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { examplesOf } from '../../../api/http/openapi/meaning.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { waitedTooLong, workflowsAway } from '../../../domain/refusals/platform.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { InnerJson } from '../hostile/sample-body.ts';
import { wholeShop, type WholeShop } from '../hostile/whole-shop.ts';
import { writeJournal, type WriteJournal } from '../hostile/write-journal.ts';

/** What a register is told when nobody carries its request out: by each route that waits for a workflow. */

let api: TestApi;
let shop: WholeShop;
let journal: WriteJournal;

beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  shop = await wholeShop(api, await aShop(api.orm.em.fork()));
  journal = await writeJournal(api.orm);
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const plain = (body: unknown) =>
  JSON.stringify(body, (_key, inner: unknown) => (inner instanceof InnerJson ? JSON.stringify(inner.value) : inner));
const routesTelling = (said: { message: string }) =>
  routes
    .filter(({ outcomes = [] }) => outcomes.some(({ message }) => message === said.message))
    .map((route): [string, AnyRoute] => [`${route.method} ${route.path}`, route]);

/** How the route is asked; the record it works on is made first. */
async function questionFor(route: AnyRoute) {
  const { path, token, body } = await shop.sampleOf(route);
  const sent = body ?? examplesOf(route)[0]?.body;
  return () => api.call(route.method, path, { token, body: plain(sent) });
}

/** A key is recorded with its request, and what a terminal printed before its workflow is asked; a purge deletes both. */
const recordedAhead = ['keyed_request', 'sale_return_settle_payload'];
const isKept = (table: string) => !recordedAhead.includes(table);

test.each(routesTelling(workflowsAway))(
  '%s is 503 while Temporal is away, and nothing is written',
  async (_n, route) => {
    const send = await questionFor(route);
    await journal.take();
    const { status, message: said } = workflowsAway;
    await expectRefused({ send: () => api.without('Temporal', send), status, said });
    expect((await journal.take()).filter(isKept)).toEqual([]);
  },
);

test('each is refused within its patience while nobody works, and nothing is written', async () => {
  const asked = await Promise.all(
    routesTelling(waitedTooLong).map(async ([name, route]) => ({ name, send: await questionFor(route) })),
  );
  await journal.take();
  const answers = await api.without('a worker', () =>
    Promise.all(asked.map(async ({ name, send }) => ({ name, answer: await send() }))),
  );
  expect(answers.map(({ name, answer: { status, body } }) => `${name} ${status} ${body.message}`)).toEqual(
    asked.map(({ name }) => `${name} ${waitedTooLong.status} ${waitedTooLong.message}`),
  );
  expect(answers.map(({ answer }) => answer.headers.get('retry-after'))).not.toContain(null);
  expect((await journal.take()).filter(isKept)).toEqual([]);
});
