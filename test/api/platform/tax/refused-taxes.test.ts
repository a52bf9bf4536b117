import { afterAll, beforeAll, describe, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { expectRefused } from '../../../support/expect-refused.ts';

let api: TestApi;
const ids = { rate: 0, rule: 0, class: 0 };
const call = (method: string, path: string, body?: object) =>
  api.call(method, `/V1/${path}`, { token: api.tokens.admin, ...(body ? { body } : {}) });

const rate = { code: 'One', tax_country_id: 'US', tax_region_id: 43, tax_postcode: '*', rate: 4 };
const rule = { code: 'One', position: 0, priority: 0, customer_tax_class_ids: [3], product_tax_class_ids: [2] };
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
  await call('POST', 'taxRates', { taxRate: rate });
  ids.rate = (await call('POST', 'taxRates', { taxRate: { ...rate, code: 'Two' } })).body.id;
  const more = { tax_rate_ids: [ids.rate] };
  await call('POST', 'taxRules', { rule: { ...rule, ...more } });
  ids.rule = (await call('POST', 'taxRules', { rule: { ...rule, ...more, code: 'Two' } })).body.id;
  for (const class_name of ['One', 'Two'])
    ids.class = Number((await call('POST', 'taxClasses', { taxClass: { class_name, class_type: 'PRODUCT' } })).body);
});
afterAll(() => api.close());

const unknown = 'No such entity with %fieldName = %fieldValue';
const required = '"%fieldName" is required. Enter and try again.';
const wrong = 'Invalid value of "%value" provided for the %fieldName field.';
const taken = '%1 already exists.';

describe('a change of a rate', () => {
  const range = { tax_postcode: undefined, zip_is_range: 1, zip_from: 9, zip_to: 8 };
  test.each([
    [{ id: 9999 }, 404, unknown],
    [{ code: '' }, 400, required],
    [{ code: 'one' }, 400, taken],
    [{ tax_region_id: 9999 }, 400, wrong],
    [range, 400, 'Range To should be equal or greater than Range From.'],
  ])('to %j is refused', async (more, status, said) => {
    const taxRate = { ...rate, code: 'Two', id: ids.rate, ...more };
    await expectRefused({ send: () => call('PUT', 'taxRates', { taxRate }), status, said });
  });

  test('that is posted needs one that is there', async () => {
    const send = () => call('POST', 'taxRates', { taxRate: { ...rate, id: 9999 } });
    await expectRefused({ send, status: 404, said: unknown });
  });
});

describe('a change of a rule', () => {
  const negative = 'The priority value of "-1" must be greater than or equal to 0.';
  const rows = [
    [{ id: 9999 }, 404, unknown],
    [{ code: '' }, 400, '"code" is required. Enter and try again.'],
    [{ code: 'one' }, 400, taken],
    [{ product_tax_class_ids: [77] }, 400, 'No such entity with class_id = 77'],
    [{ priority: -1 }, 400, negative],
  ] as const;
  test.each(rows.flatMap((row) => [['PUT', ...row] as const, ['POST', ...row] as const]))(
    'by %s to %j is refused',
    async (method, more, status, said) => {
      const sent = { ...rule, code: 'Two', tax_rate_ids: [ids.rate], id: ids.rule, ...more };
      await expectRefused({ send: () => call(method, 'taxRules', { rule: sent }), status, said });
    },
  );

  test('needs one that is there, as its deletion does', async () => {
    await expectRefused({ send: () => call('DELETE', 'taxRules/9999'), status: 404, said: unknown });
  });
});

describe('a change of a class', () => {
  test.each([
    [{ class_name: '' }, 400, required],
    [{ class_type: 'CUSTOMER' }, 400, 'Updating classType is not allowed.'],
    [{ class_name: 'one' }, 400, 'A class with the same name already exists for ClassType %1.'],
  ])('to %j is refused', async (more, status, said) => {
    const taxClass = { class_name: 'Two', class_type: 'PRODUCT', ...more };
    await expectRefused({ send: () => call('PUT', `taxClasses/${ids.class}`, { taxClass }), status, said });
  });

  test.each([
    ['PUT', 'taxClasses/9999', {}],
    ['POST', 'taxClasses', { class_id: 9999 }],
  ])('by %s %s needs one that is there', async (method, path, more) => {
    const taxClass = { class_name: 'Three', class_type: 'PRODUCT', ...more };
    await expectRefused({ send: () => call(method, path, { taxClass }), status: 404, said: unknown });
  });
});
