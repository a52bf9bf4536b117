import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { manyRecords } from '../../support/books/many-records.ts';
import { hoursAgo } from '../../support/moments.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const books = booksOf(() => api.orm);
const { find, howMany, change, remove } = books;

const submit = (entries: unknown, token = api.tokens.register) =>
  api.call('POST', '/V1/pos/audit-log', { token, body: { entries } });
const read = (query = '') => api.call('GET', `/V1/pos/audit-log${query}`, { token: api.tokens.admin });
const by = (field: string, value: string, condition = 'eq') =>
  read(
    `?searchCriteria[filter_groups][0][filters][0][field]=${field}` +
      `&searchCriteria[filter_groups][0][filters][0][value]=${encodeURIComponent(value)}` +
      `&searchCriteria[filter_groups][0][filters][0][condition_type]=${condition}`,
  );
const linesOf = (entityId: string) => by('entity_id', entityId).then(({ body }) => body.items);

test('a register’s changes are lines of the trail, in its order, with the server’s number and moment', async () => {
  const entry = {
    entity_type: 'location',
    entity_id: 'whole',
    entity_name: 'High Street',
    field_name: 'receipt_footer',
    old_value: 'Thanks',
    new_value: '\u001b[31mBye',
    change_source: 'pos_terminal',
    staff_id: 7,
    staff_name: 'Ada',
    terminal_id: 8,
    terminal_name: 'Till',
    location_id: 9,
    location_name: 'High Street',
  };
  const sent = [
    { ...entry, log_id: 1, created_at: '2001-01-01 00:00:00', future: true },
    { entityType: 'terminal', entityId: 'whole', fieldName: 'name', newValue: 'Till 2' },
  ];
  expect(await submit(sent)).toMatchObject({ status: 200, body: true });

  const [first, second] = await linesOf('whole');
  expect(first).toEqual({ ...entry, log_id: expect.any(Number), created_at: expect.stringMatching(/^20[2-9]\d-/) });
  expect(second).toMatchObject({ entity_type: 'terminal', old_value: null, new_value: 'Till 2', staff_id: null });
  expect(second.log_id).toBeGreaterThan(first.log_id);
});

test('an empty type or field is unknown, an unknown source the terminal', async () => {
  await submit([
    { entity_type: '', entity_id: 'empty', field_name: ' ' },
    { entity_id: 'empty', change_source: 'robot' },
    { entity_type: null, entity_id: 'empty', field_name: null, change_source: 'api' },
  ]);
  expect(
    (await linesOf('empty')).map((line: Record<string, unknown>) => [
      line['entity_type'],
      line['field_name'],
      line['change_source'],
    ]),
  ).toEqual([
    ['unknown', 'unknown', 'pos_terminal'],
    ['unknown', 'unknown', 'pos_terminal'],
    ['unknown', 'unknown', 'api'],
  ]);
});

test('a register cannot pass for an administrator', async () => {
  const entry = { entity_type: 'staff', field_name: 'name', change_source: 'admin' };
  await submit([{ ...entry, entity_id: 'by-register' }]);
  await submit([{ ...entry, entity_id: 'by-admin' }], api.tokens.admin);
  expect((await linesOf('by-register'))[0].change_source).toBe('pos_terminal');
  expect((await linesOf('by-admin'))[0].change_source).toBe('admin');
});

test.each([
  ['an entry without the thing it is about', [{ entity_type: 'x', field_name: 'y' }]],
  ['a value beyond all bounds', [{ entity_id: '1', new_value: 'x'.repeat(65_536) }]],
  ['a name beyond its column', [{ entity_id: '1', field_name: 'x'.repeat(129) }]],
  ['what is no entry', ['changed']],
  ['no list', { entity_id: '1' }],
  ['nothing', null],
  ['more entries than a register makes', Array.from({ length: 10_001 }, () => ({ entity_id: '1' }))],
])('%s is a 400, and none of the others is kept', async (_case, entries) => {
  const before = (await read()).body.total_count;
  const { status } = await submit(Array.isArray(entries) ? [{ entity_id: 'good' }, ...entries] : entries);
  expect(status).toBe(400);
  expect((await read()).body.total_count).toBe(before);
});

test('ten thousand entries at once are one statement and ten thousand lines', async () => {
  const before = (await read()).body.total_count;
  expect((await submit(Array.from({ length: 10_000 }, () => ({ entity_id: 'many' })))).body).toBe(true);
  const { body } = await read('?searchCriteria[pageSize]=2');
  expect([body.total_count - before, body.items.length]).toEqual([10_000, 2]);
  expect((await submit([])).body).toBe(true);
});

test('the trail is found by each of the interface’s filters', async () => {
  await submit([
    {
      entity_type: 'Role',
      entity_id: 'found',
      field_name: 'f',
      change_source: 'api',
      staff_id: 41,
      terminal_id: 42,
      location_id: 43,
    },
  ]);
  for (const [field, value] of [
    ['entity_type', 'role'],
    ['entity_id', 'found'],
    ['staff_id', '41'],
    ['terminal_id', '42'],
    ['location_id', '43'],
  ] as const) {
    const { body } = await by(field, value);
    expect([field, body.total_count, body.items[0].entity_id]).toEqual([field, 1, 'found']);
  }
  expect((await by('change_source', 'api')).body.items.at(-1).entity_id).toBe('found');
  expect((await by('created_at', '2099-01-01', 'gteq')).body.total_count).toBe(0);
  expect(await by('new_value', 'x')).toMatchObject({ status: 400, body: { parameters: ['new_value'] } });
});

test('reading the trail needs a resource that registers lack', async () => {
  expect(await api.call('GET', '/V1/pos/audit-log', { token: api.tokens.register })).toMatchObject({
    status: 401,
    body: { parameters: { resources: 'Vendor_Pos::pos' } },
  });
});

test('the total is exact whether it is counted or known, and after a person took lines out', async () => {
  const known = () => find('pos_growing_count', {}, 'up_to');
  const isExact = async () =>
    expect((await read('?searchCriteria[pageSize]=1')).body.total_count).toBe(await howMany('pos_audit_log'));
  await change('pos_audit_log', {}, { created_at: hoursAgo(2) });
  const old = { entity_type: 'x', field_name: 'f', created_at: hoursAgo(2) };
  await books.insertAll('pos_audit_log', [
    ...manyRecords(10_000, () => ({ ...old, entity_id: 'kept' })),
    ...manyRecords(10_000, () => ({ ...old, entity_id: 'taken out' })),
  ]);
  await isExact();
  expect(await known()).toHaveLength(1);
  await submit([{ entity_id: 'one more' }]);
  await isExact();

  await eightAtOnce(isExact);

  await remove('pos_audit_log', { entity_id: 'taken out' });
  expect(await known()).toEqual([]);
  await isExact();
});
