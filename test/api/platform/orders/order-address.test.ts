import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../../support/api.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await aShop(api.orm.em.fork());
});
afterAll(() => api.close());

const call = (method: string, path: string, body?: unknown) =>
  api.call(method, path, { token: api.tokens.register, ...(body === undefined ? {} : { body }) });
const save = (orderId: number, entity: unknown) => call('PUT', `/V1/orders/${orderId}`, { entity });
const sale = () => anOrder(api.orm.em.fork());
const billingOf = async (orderId: number) => (await call('GET', `/V1/orders/${orderId}`)).body.billing_address;

test('what is sent of an address changes, the rest stays, and the order shows it', async () => {
  const { orderId } = await sale();
  const before = await billingOf(orderId);
  const { status, body } = await save(orderId, { entity_id: before.entity_id, street: ['2 Oak St'], telephone: '555' });

  expect({ status, body }).toEqual({ status: 200, body: { ...before, street: ['2 Oak St'], telephone: '555' } });
  expect(await billingOf(orderId)).toEqual(body);
  expect((await save(orderId, body)).body).toEqual(body);
});

test('an address that the order does not have yet is added', async () => {
  const { orderId } = await sale();
  const shipping = { address_type: 'shipping', firstname: 'Ann', city: 'Troy', country_id: 'US' };
  const { body } = await save(orderId, shipping);
  expect(body).toMatchObject({ ...shipping, parent_id: orderId });
  expect((await save(orderId, shipping)).body.entity_id).toBe(body.entity_id);
});

test('eight at once leave one shipping address', async () => {
  const { orderId } = await sale();
  const shipping = { address_type: 'shipping', firstname: 'Ann', city: 'Troy', country_id: 'US' };
  const answers = await eightAtOnce(() => save(orderId, shipping));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.entity_id}`)).size).toBe(1);
});

test('another order’s address and an unknown order are 404; an invalid address is 400', async () => {
  const [one, other] = [await sale(), await sale()];
  const foreign = await billingOf(other.orderId);
  expect((await save(one.orderId, { entity_id: foreign.entity_id, city: 'Rome' })).status).toBe(404);
  expect((await save(999_999, { city: 'Rome' })).status).toBe(404);
  expect((await save(one.orderId, { city: { a: 1 } })).status).toBe(400);
  expect((await save(one.orderId, { city: 'x'.repeat(300) })).status).toBe(400);
  expect((await save(one.orderId, { address_type: 'home' })).status).toBe(400);
  expect((await call('PUT', `/V1/orders/${one.orderId}`, {})).status).toBe(400);
  expect(await billingOf(other.orderId)).toEqual(foreign);
});

test('no invoice can be voided: no payment here is only authorised', async () => {
  const { invoiceId } = await sale();
  const refused = { status: 400, body: { message: 'The void action is not available.' } };
  expect(await call('POST', `/V1/invoices/${invoiceId}/void`)).toMatchObject(refused);
  expect(await call('POST', '/V1/invoices/999999/void')).toMatchObject({ status: 404 });
});
