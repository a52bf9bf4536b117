import { beforeAll, expect, test } from '@jest/globals';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';
import { useApi } from '../../../support/fixtures.ts';

const api = useApi();
beforeAll(() => aShop(api.orm.em.fork()));

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, `/V1/catalogRules${path}`, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });

const sale = { name: 'Sale', simple_action: 'by_percent', discount_amount: 10 };

test('a rule is stored as sent, and a change keeps absent fields', async () => {
  const conditions = [{ attribute: 'sku', operator: 'is_one_of', values: ['MUG'] }];
  const rule = { ...sale, website_ids: [1], from_date: '2026-11-27', conditions, stop_rules_processing: true };
  const { body: made } = await call('POST', '', { rule });
  expect(made).toEqual({
    ...rule,
    rule_id: made.rule_id,
    is_active: true,
    customer_group_ids: null,
    to_date: null,
    aggregator: 'all',
    sort_order: 0,
  });
  const change = { website_ids: [], from_date: '', discount_amount: 12.5 };
  const { body: changed } = await call('PUT', `/${made.rule_id}`, { rule: change });
  expect(changed).toEqual({ ...made, website_ids: null, from_date: null, discount_amount: 12.5 });
  await expectRefused({
    send: () => call('PUT', `/${made.rule_id}`, { rule: { from_date: '2026-11-27', to_date: '2026-11-26' } }),
    ...{ status: 400, said: 'The value of "%fieldName" cannot be.' },
  });
  expect((await call('GET', '')).body).toEqual([changed]);
  expect((await call('DELETE', `/${made.rule_id}`)).body).toBe(true);
  expect((await call('DELETE', `/${made.rule_id}`)).status).toBe(404);
  expect((await call('PUT', `/${made.rule_id}`, { rule: change })).status).toBe(404);
});

test.each([
  ['no name', { name: '  ' }],
  ['no action', { simple_action: undefined }],
  ['an unknown action', { simple_action: 'buy_x_get_y' }],
  ['more than all of the price', { discount_amount: 100.01 }],
  ['less than nothing', { discount_amount: -1 }],
  ['an end before its beginning', { from_date: '2026-11-27', to_date: '2026-11-26' }],
  ['what is no day', { from_date: '2026-02-30' }],
  ['a condition on nothing', { conditions: [{ attribute: 'sku', operator: 'is_one_of', values: [] }] }],
  ['a bound that is no number', { conditions: [{ attribute: 'price', operator: 'at_least', values: ['cheap'] }] }],
  ['a name no attribute has', { conditions: [{ attribute: `x' or true`, operator: 'contains', values: ['a'] }] }],
  ['two parts to look for', { conditions: [{ attribute: 'name', operator: 'contains', values: ['a', 'b'] }] }],
])('a rule with %s is refused, and nothing is kept', async (_, wrong) => {
  expect((await call('POST', '', { rule: { ...sale, ...wrong } })).status).toBe(400);
  expect((await call('GET', '')).body).toEqual([]);
});

test.each([
  ['website_ids', 0],
  ['website_ids', 99],
  ['customer_group_ids', 99],
])('a rule that names an unknown one in %s is refused, as is a change that names it: %d', async (field, id) => {
  const said = `Invalid value of "%value" provided for the %fieldName field.`;
  const { body: made } = await call('POST', '', { rule: sale });
  const rule = { ...sale, [field]: [1, id] };
  await expectRefused({ send: () => call('POST', '', { rule }), status: 400, said });
  await expectRefused({ send: () => call('PUT', `/${made.rule_id}`, { rule }), status: 400, said });
  expect((await call('GET', '')).body).toEqual([made]);
  await call('DELETE', `/${made.rule_id}`);
});

test('a register neither sees nor makes rules', async () => {
  const { status } = await api.call('GET', '/V1/catalogRules', { token: api.tokens.register });
  expect(status).toBe(401);
});
