import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { examplesOf } from '../../../api/http/openapi/meaning.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { aBesiegedShop, type BesiegedShop } from '../hostile/a-besieged-shop.ts';

/** Refusals that many routes have in common, got from each of them. */

let besieged: BesiegedShop;
beforeAll(async () => {
  besieged = await aBesiegedShop();
});
afterAll(async () => {
  expect(besieged.api.faults).toEqual([]);
  await besieged.api.close();
});

const nameOf = ({ method, path }: AnyRoute) => `${method} ${path}`;
const having = (said: string): [string, AnyRoute][] =>
  routes
    .filter(({ outcomes = [] }) => outcomes.some(({ message }) => message === said))
    .map((one) => [nameOf(one), one]);

const noField = 'Invalid attribute name: %1';
const filter = 'searchCriteria[filter_groups][0][filters][0]';

test.each(having(noField))('%s cannot be searched by an unknown field', async (_name, route) => {
  const { path, token } = await besieged.shop.sampleOf(route);
  const query = `?${filter}[field]=no_such_field&${filter}[value]=1`;
  const send = () => besieged.api.call('GET', path + query, { token });
  await expectRefused({ send, status: 400, said: noField });
});

/**
 * A product of an unknown SKU is created; a 404 of this route is that of an option in its body. A guest's cart goes
 * only to a signed-in customer, and that is asked first.
 */
const asksFirst: readonly string[] = ['updateProduct', 'takeGuestCart'];

const isOfOne = ({ name, path, outcomes = [] }: AnyRoute) =>
  !asksFirst.includes(name ?? '') &&
  /:\w*(?:id|Id|sku|Sku|code|Code|uuid|Uuid)\b/.test(path) &&
  outcomes.some(({ status }) => status === 404);

test.each(routes.filter(isOfOne).map((one): [string, AnyRoute] => [nameOf(one), one]))(
  '%s does not find what is not there, in the words of the document',
  async (_name, route) => {
    const { token } = await besieged.shop.sampleOf(route);
    const [{ body } = {}] = examplesOf(route);
    const answer = await besieged.api.call(route.method, route.path.replaceAll(/:\w+/g, '999999'), {
      token,
      ...(route.body === undefined ? {} : { body: body ?? {} }),
    });
    const said = (route.outcomes ?? []).filter(({ status }) => status === 404).map(({ message }) => message);
    expect({ status: answer.status, said }).toEqual({
      status: 404,
      said: expect.arrayContaining([answer.body.message]),
    });
  },
);
