import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { aBesiegedShop, busyMessage, type BesiegedShop } from './a-besieged-shop.ts';
import { expectRefusal } from './expect-refusal.ts';
import { bodyWith, waysInto, waysOf, type Way } from './sample-body.ts';

let besieged: BesiegedShop;
beforeAll(async () => {
  besieged = await aBesiegedShop();
});
afterAll(async () => {
  expect(besieged.api.faults).toEqual([]);
  await besieged.api.close();
});

/** The ends of 32 bits, of JSON and of 64 bits, and what lies behind each. No record has any of them. */
const large = [
  ...['2147483647', '2147483648', '9007199254740991', '9007199254740992', '9007199254740993'],
  ...['9223372036854775807', '9223372036854775808', '99999999999999999999'],
];
/** Of these, as a number and as text, what differs in a body. */
const inBodies = ['2147483648', '9007199254740991', '9007199254740992', '9223372036854775808', '"9223372036854775808"'];
const unknown = '999999';

/** A refusal without the id that was sent. */
const withoutIds = (body: unknown, ids: readonly string[]) => {
  const shown = ids.flatMap((id) => [id, String(Number(id)), String(Math.min(Number(id), Number.MAX_SAFE_INTEGER))]);
  return shown.reduce((text, id) => text.replaceAll(id, 'ID'), JSON.stringify(body));
};

describe('a path', () => {
  const withIds = routes.filter(({ path }) => /:(?:id|\w+Id)\b/.test(path));

  test.each(withIds.map((route): [string, AnyRoute] => [`${route.method} ${route.path}`, route]))(
    '%s has one answer for every id that no record has',
    async (_name, route) => {
      const { token } = await besieged.shop.sampleOf(route);
      const ask = async (id: string) => {
        const path = route.path.replaceAll(/:(?:id|\w+Id)\b/g, id).replaceAll(/:\w+/g, 'none');
        const { status, body } = await besieged.api.call(route.method, path, { token });
        return { status, text: withoutIds(body, [id]) };
      };
      const answer = await ask(unknown);
      expect(answer.status).toBeLessThan(500);
      const others = await Promise.all(large.map(async (id) => ({ id, ...(await ask(id)) })));
      expect(others).toEqual(large.map((id) => ({ id, ...answer })));
    },
  );
});

const isId = (way: Way) => /(?:^|_)ids?$|[a-z]Ids?$/.test(String(way.findLast((key) => typeof key === 'string')));

/** Every id in a body that a route can be sent. */
function idsOf(route: AnyRoute, sample: unknown): Way[] {
  const all = [...waysOf(route.body), ...waysInto(sample)].filter(isId);
  return [...new Map(all.map((way) => [way.join('.'), way])).values()];
}

describe('a body', () => {
  const withBody = routes.filter(({ body }) => body !== undefined);

  test.each(withBody.map((route): [string, AnyRoute] => [`${route.method} ${route.path}`, route]))(
    '%s takes or refuses every large id',
    async (name, route) => {
      const { api, shop } = besieged;
      let sample = await shop.sampleOf(route);
      for (const way of idsOf(route, sample.body)) {
        for (const id of inBodies) {
          const body = bodyWith(sample.body, way, id);
          const headers = { 'content-type': 'application/json' };
          const answer = await api.call(route.method, sample.path, { token: sample.token, body, headers });
          if (answer.status === 200) sample = await shop.sampleOf(route);
          else if (answer.body.message !== busyMessage) expectRefusal(`${name}: ${id} as ${way.join('.')}`, answer);
        }
      }
    },
  );
});
