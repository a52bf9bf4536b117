import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contentTypes } from '../../../api/content/content-type.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { manyRecords } from '../../support/books/many-records.ts';
import { aTerminal, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused } from '../../support/expect-refused.ts';

/** Lists that have a most: without pages, more is refused instead of cut off. */

let api: TestApi;
const books = booksOf(() => api.orm);
beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  const em = api.orm.em.fork();
  const { locationId } = await aShop(em);
  const { terminalId } = await aTerminal(em, { locationId });
  const { entity_id: productId } = await books.findOne('product', { sku: 'MUG' }, 'entity_id');
  const text = { title: 'Many', content: 'x', liveview: true, changed_by: 'ada' };
  for (const { kind } of contentTypes)
    await books.insertAll(
      'content_item',
      manyRecords(301, (n) => ({
        ...{ ...text, kind, identifier: `many_${n}` },
        product_id: kind === 'product_attribute' ? productId : null,
        category_id: kind === 'category_attribute' ? 1 : null,
      })),
    );
  const change = { entity_type: 'location', entity_id: '1', field_name: 'name' };
  await books.insertAll(
    'pos_audit_log',
    manyRecords(2_001, () => change),
  );
  await books.insertAll(
    'pos_receipt',
    manyRecords(2_001, (n) => ({
      ...{ terminal_id: terminalId, pos_order_id: `sale-${n}`, token_digest: `digest-${n}`, sealed_token: 'sealed' },
    })),
  );
  const place = { drawer_id: 1, terminal_id: terminalId, location_id: locationId };
  const uuidOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
  await books.insertAll(
    'pos_register_session',
    manyRecords(2_001, (n) => ({
      ...{ ...place, register_session_uuid: uuidOf(n), state: 'closed', opening: '[]', request_hash: 'x' },
      ...{ opened_at: '2026-11-29', forced_after: '2026-11-30', counts_permitted: 2 },
    })),
  );
  const { session_id: sessionId } = await books.findOne(
    'pos_register_session',
    { register_session_uuid: uuidOf(1) },
    'session_id',
  );
  await books.insertAll(
    'pos_closing',
    manyRecords(2_001, (n) => ({
      ...{ ...place, number: n, session_id: sessionId, business_day: '2026-11-29', document: '{}', hash: 'x' },
      closed_at: '2026-11-29',
    })),
  );
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const lists = [
  ...contentTypes.map(({ path }) => `${path}/search`),
  ...['/V1/pos/audit-log', '/V1/pos/receipts', '/V1/pos/register-sessions', '/V1/pos/closings'],
];

test.each(lists)('%s has a most that pages lead beyond', async (path) => {
  const all = () => api.call('GET', `${path}?searchCriteria`, { token: api.tokens.admin });
  await expectRefused({ send: all, status: 400, said: 'Maximum SearchCriteria pageSize is %max' });
  const page = await api.call('GET', `${path}?searchCriteria[page_size]=1&searchCriteria[current_page]=3000`, {
    token: api.tokens.admin,
  });
  expect(page).toMatchObject({ status: 200, body: { items: [] } });
});
