import { afterAll, beforeAll, expect, test } from 'vitest';
import { examplesOf } from '../../../api/http/openapi/recorded-examples.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { routes } from '../../../api/routes.ts';
import { asRefusal, away } from '../../../providers/temporal/workflow-failures.ts';
import type { Workflows } from '../../../providers/temporal/workflows.ts';
import { stillGoing, workflowsAway } from '../../../api/wire/outcomes.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { InnerJson } from '../hostile/sample-body.ts';
import { wholeShop, type WholeShop } from '../hostile/whole-shop.ts';

/** What a register is told when a workflow does not answer: from each route that waits for one. */

let api: TestApi;
let shop: WholeShop;
let isReachable = true;

/** As Temporal's client fails when the deadline has passed. */
const late = () => Object.assign(new Error('deadline'), { code: 4, details: '', metadata: {} });
const unanswered = async () => {
  throw isReachable ? asRefusal(late()) : away();
};
const silent: Workflows = {
  ask: unanswered,
  signal: unanswered,
  start: async () => undefined,
  refuseWhileAway: async () => undefined,
  isReachable: async () => isReachable,
};

beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey }, workflows: silent });
  shop = await wholeShop(api, await aShop(api.orm.em.fork()));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const plain = (body: unknown) =>
  JSON.stringify(body, (_key, inner: unknown) => (inner instanceof InnerJson ? JSON.stringify(inner.value) : inner));

/** Routes that look at the record themselves where the workflow is silent; the whole shop's record is decided then. */
const looksItself = /\/process$|\/cancel-refund$|\/refund-attempts\//;

const asking = routes.filter(
  ({ path, outcomes = [] }) =>
    !looksItself.test(path) && outcomes.some(({ message }) => message === stillGoing.message),
);

test.each(asking.map((route): [string, AnyRoute] => [`${route.method} ${route.path}`, route]))(
  '%s tells work that goes on from a service that is away',
  async (_name, route) => {
    for (const [reachable, { status, message: said }] of [
      [true, stillGoing],
      [false, workflowsAway],
    ] as const) {
      isReachable = reachable;
      const { path, token, body } = await shop.sampleOf(route);
      const sent = body ?? examplesOf(route)[0]?.body;
      await expectRefused({ send: () => api.call(route.method, path, { token, body: plain(sent) }), status, said });
    }
    isReachable = true;
  },
);
