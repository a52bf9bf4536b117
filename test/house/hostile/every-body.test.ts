import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { aBesiegedShop, busyMessage, type BesiegedShop } from './a-besieged-shop.ts';
import { expectRefusal } from './expect-refusal.ts';
import { hostileValues } from './hostile-values.ts';
import { bodyWith, waysInto, waysOf, type Way } from './sample-body.ts';
import { shareOf } from './share-of.ts';

/** Of all pairs of place and value. */
const oneIn = 89;

/** A guess costs, right or wrong; that is written down before the refusal. */
const counters = new Set(['rate_limit', 'pos_staff_login_failure', 'token_throttle']);

/**
 * What a refusal of a route may write. A terminal may have paid out before a settle was refused: both histories say so.
 */
const records: Readonly<Record<string, readonly string[]>> = {
  'POST /V1/pos/rma/:rmaId/settle': ['sale_return_settle_payload', 'sale_return_comment', 'sales_order_status_history'],
};

let besieged: BesiegedShop;
beforeAll(async () => {
  besieged = await aBesiegedShop();
});
afterAll(async () => {
  expect(besieged.api.faults).toEqual([]);
  await besieged.api.close();
});

const withBody = routes.filter(({ body }) => body !== undefined);

/** Every place of the body a route can be sent, beside what the sample has in it. */
function placesOf(route: AnyRoute, sample: unknown): Way[] {
  const all = [...waysOf(route.body), ...waysInto(sample)];
  return [...new Map(all.map((way) => [way.join('.'), way])).values()];
}

test.each(withBody.map((route, at): [string, AnyRoute, number] => [`${route.method} ${route.path}`, route, at]))(
  '%s bears every value in every place',
  async (name, route, at) => {
    const { api, shop, journal } = besieged;
    const mayWrite = new Set([...counters, ...(records[name] ?? [])]);
    let sample = await shop.sampleOf(route);
    await journal.take();
    const pairs = placesOf(route, sample.body).flatMap((way) =>
      Object.entries(hostileValues).map(([what, hostile]) => ({ way, what, hostile })),
    );
    for (const { way, what, hostile } of shareOf(pairs, { route: at, oneIn })) {
      const body = bodyWith(sample.body, way, hostile);
      const headers = { 'content-type': 'application/json' };
      const answer = await api.call(route.method, sample.path, { token: sample.token, body, headers });
      const written = (await journal.take()).filter((table) => !mayWrite.has(table));
      if (answer.status !== 200) {
        const asked = `${name}: ${what} as ${way.join('.')}`;
        expectRefusal(asked, answer);
        // What a workflow is asked to do is written down before.
        if (answer.body.message !== busyMessage) expect({ asked, written }).toEqual({ asked, written: [] });
        continue;
      }
      sample = await shop.sampleOf(route);
      await journal.take();
    }
  },
);
