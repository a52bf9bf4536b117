import { expect, test } from '@jest/globals';
import { opensAShop, api, locationId, admin, requireCodes, create, update, read } from './saved-terminals.ts';

opensAShop();

test('a terminal with a device is bound at once, and a device named again moves', async () => {
  const first = (await create({ name: 'Till 2', deviceIdentifier: 'till-2', isActive: '1' })).body;
  const second = (await create({ name: 'Till 3', device_identifier: 'till-2' })).body;

  expect(first).toMatchObject({ device_identifier: 'till-2', activation_code: null });
  expect(second).toMatchObject({ device_identifier: 'till-2' });
  expect((await read(`/${first.terminal_id}`)).body).toMatchObject({ device_identifier: null });
});

test('a device that registers itself several times at once is bound to one terminal, without a fault', async () => {
  const { body: bound } = await create({ name: 'Till of another' });
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () => create({ name: 'Till of many', device_identifier: 'eager-1' })),
    update(bound.terminal_id, { device_identifier: 'eager-1' }),
  ]);

  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 200));
  const { items } = (await read('?searchCriteria')).body as { items: { device_identifier: string | null }[] };
  expect(items.filter((terminal) => terminal.device_identifier === 'eager-1')).toHaveLength(1);
});

test('where a shop requires codes no device registers itself, and nothing is bound or moved', async () => {
  const bound = (await create({ name: 'Till C', device_identifier: 'till-c' })).body;
  const before = (await read('?searchCriteria')).body;
  const refused = {
    status: 400,
    body: {
      message: 'Could not save the terminal: %1',
      parameters: [expect.stringMatching(/bound by an activation code/)],
    },
  };
  // The default is that codes are required; one website may differ from the shop.
  await requireCodes(null);
  expect(await create({ name: 'Till D', device_identifier: 'till-c' })).toMatchObject(refused);
  expect(await create({ name: 'Till D', device_identifier: 'till-d', location_id: locationId })).toMatchObject(refused);
  await requireCodes('0');
  await requireCodes('1', 1);
  expect(await create({ name: 'Till D', device_identifier: 'till-d', location_id: locationId })).toMatchObject(refused);
  expect((await read('?searchCriteria')).body).toEqual(before);
  await requireCodes('1');
  await requireCodes('0', 1);
  const allowed = await create({ name: 'Till D', device_identifier: 'till-d', location_id: locationId });
  await requireCodes(null, 1);

  // A terminal without a device is made as ever, and an administrator may still bind one by hand.
  expect((await create({ name: 'Till E', device_identifier: '' })).body.activation_code).toEqual(expect.any(String));
  expect((await update(bound.terminal_id, { device_identifier: 'till-c2' })).status).toBe(200);
  await requireCodes('0');
  expect(allowed).toMatchObject({ status: 200, body: { device_identifier: 'till-d' } });
  await api.call('DELETE', `/V1/pos/terminals/${allowed.body.terminal_id}`, { token: admin });
});

test('a device bound by hand makes the code void that waited, so its release is a release and no new code', async () => {
  const { body } = await create({ name: 'Till 6b' });
  const post = (path: string, sent: object) =>
    api.call('POST', `/V1/pos/terminals${path}`, { token: admin, body: { deviceIdentifier: 'till-6b', ...sent } });
  expect((await update(body.terminal_id, { device_identifier: 'till-6b' })).body).toMatchObject({
    device_identifier: 'till-6b',
    activation_code: null,
    activation_used_at: null,
  });
  const late = { activationCode: body.activation_code, deviceIdentifier: 'stranger' };
  expect((await post('/activate', late)).status).toBe(404);

  await post('/deactivate', { terminalId: body.terminal_id });
  expect((await post(`/${body.terminal_id}/heartbeat`, {})).body).toMatchObject({
    is_active: false,
    inactive_reason: 'deactivated',
  });
});
