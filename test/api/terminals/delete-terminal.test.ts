import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../../support/api.ts';
import { aTerminal, secretKey } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let api: TestApi;
let manager: string;

beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  manager = await api.tokenFor('Vendor_Pos::locations_manage', 'Vendor_Pos::locations');
});
afterAll(() => api.close());

const books = booksOf(() => api.orm);
const { fork, find, howMany } = books;
const remove = (terminalId: number, token = manager) =>
  api.call('DELETE', `/V1/pos/terminals/${terminalId}`, { token });

test('a terminal that is deleted is unknown to its device; its license stays', async () => {
  const { terminalId, deviceIdentifier } = await aTerminal(fork(), { name: 'Old till' });
  await books.remove('pos_audit_log');

  expect(await remove(terminalId)).toMatchObject({ status: 200, body: true });
  const beat = { token: api.tokens.register, body: { deviceIdentifier } };
  expect((await api.call('POST', `/V1/pos/terminals/${terminalId}/heartbeat`, beat)).status).toBe(404);
  expect(await howMany('pos_license')).toBe(1);
  expect(await find('pos_audit_log', {}, 'entity_name', 'field_name', 'old_value', 'new_value')).toEqual(
    expect.arrayContaining([
      { entity_name: 'Old till', field_name: 'name', old_value: 'Old till', new_value: null },
      { entity_name: 'Old till', field_name: 'device_identifier', old_value: deviceIdentifier, new_value: null },
    ]),
  );
});

test('its device can be bound to another one', async () => {
  const { terminalId, deviceIdentifier } = await aTerminal(fork());
  await remove(terminalId);
  expect((await aTerminal(fork(), { deviceIdentifier })).deviceIdentifier).toBe(deviceIdentifier);
});

test('eight deletions at once delete once; an unknown terminal is not found; a register may not', async () => {
  const { terminalId } = await aTerminal(fork());
  expect((await remove(terminalId, api.tokens.register)).status).toBe(401);
  const answers = await eightAtOnce(() => remove(terminalId));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200, 404, 404, 404, 404, 404, 404, 404,
  ]);
  expect(await remove(99_999)).toMatchObject({
    status: 404,
    body: { message: 'Terminal with id %1 does not exist', parameters: [99_999] },
  });
});
