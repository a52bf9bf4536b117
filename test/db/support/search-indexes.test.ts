import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CompiledQuery } from 'kysely';
import { listAuditLog } from '../../../api/audit/list-audit-log.ts';
import { listProducts } from '../../../api/platform/products/list-products.ts';
import { listReceipts } from '../../../api/receipts/list-receipts.ts';
import { readSearchCriteria } from '../../../api/wire/read-search-criteria.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { listTerminals } from '../../../api/terminals/list-terminals.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  await write(`
    insert into pos_terminal (name, device_identifier, is_active)
    select 'Till ' || n, 'device-' || n, n % 100 > 0 from generate_series(1, 20000) n`);
  await write(`
    insert into pos_receipt (pos_order_id, token_digest, sealed_token, location_id, terminal_id, sale_type,
      order_increment_id, created_at)
    select n::text, n::text, '', n % 2000, n % 5000, case when n % 100 = 0 then 'refund' end, lpad(n::text, 9, '0'),
      now() - n * interval '1 minute'
    from generate_series(1, 20000) n`);
  await write(`
    insert into pos_audit_log (entity_type, entity_id, field_name, change_source, staff_id, terminal_id, location_id,
      created_at)
    select 'Kind ' || n % 500, n % 5000, 'name', case when n % 100 = 0 then 'api' else 'pos_terminal' end, n % 3000,
      n % 5000, n % 2000, now() - n * interval '1 minute'
    from generate_series(1, 20000) n`);
  await write(`
    insert into product (sku, name, price, weight, custom_attributes)
    select 'sku-' || n, 'Name ' || n, 5, n % 5000, jsonb_build_object('cost', n % 5000, 'special_price', (n % 5000)::text)
      || case when n % 100 = 0 then '{"is_returnable":"0"}' else '{}' end::jsonb
    from generate_series(1, 20000) n`);
  await write('analyze product');
  await write('analyze pos_terminal, pos_receipt, pos_audit_log');
});
afterAll(() => api.close());

const { fork, write } = booksOf(() => api.orm);

/** What the list asks the database for, and how the database goes about it. */
async function planOf(list: AnyRoute, field: string, value: string, condition = 'eq'): Promise<string> {
  const em = fork();
  const kysely = em.getKysely();
  const asked: CompiledQuery[] = [];
  const listened = Object.assign(Object.create(em), {
    getKysely: () => ({
      executeQuery: (query: CompiledQuery) => {
        asked.push(query);
        return { rows: [] };
      },
    }),
  });
  const criteria = { filter_groups: [{ filters: [{ field, value, condition_type: condition }] }], page_size: 50 };
  await list.handle({
    em: listened,
    query: { searchCriteria: readSearchCriteria(criteria) },
    settings: api.settings,
    caller: { can: () => true },
    store: { storeId: 1, websiteId: 1 },
  } as never);
  // What is known of the total is asked first.
  const query = asked.at(-1);
  if (!query) throw new Error('the list asked for nothing');
  const { rows: found } = await kysely.executeQuery<Record<string, string>>(
    CompiledQuery.raw(`explain ${query.sql}`, [...query.parameters]),
  );
  return found.map((row) => row['QUERY PLAN']).join('\n');
}

const lists = {
  products: listProducts,
  receipts: listReceipts,
  'lines of the audit trail': listAuditLog,
  terminals: listTerminals,
};
const recently = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

test.each<[what: keyof typeof lists, field: string, value: string, condition?: string]>([
  ['receipts', 'location_id', '7'],
  ['receipts', 'terminal_id', '7'],
  ['receipts', 'created_at', recently, 'gteq'],
  ['receipts', 'created_at', recently],
  ['receipts', 'created_at', recently, 'in'],
  ['receipts', 'sale_type', 'refund'],
  ['receipts', 'order_increment_id', '000000007'],
  ['receipts', 'pos_order_id', '7'],
  ['lines of the audit trail', 'entity_type', 'kind 7'],
  ['lines of the audit trail', 'entity_id', '7'],
  ['lines of the audit trail', 'change_source', 'api'],
  ['lines of the audit trail', 'staff_id', '7'],
  ['lines of the audit trail', 'terminal_id', '7'],
  ['lines of the audit trail', 'location_id', '7'],
  ['lines of the audit trail', 'created_at', recently, 'gteq'],
  ['lines of the audit trail', 'created_at', recently],
  ['lines of the audit trail', 'created_at', recently, 'in'],
  ['terminals', 'name', 'till 7'],
  ['terminals', 'device_identifier', 'device-7'],
  ['terminals', 'location_id', '7'],
  ['terminals', 'is_active', '0'],
  ['terminals', 'license_id', '7'],
  ['products', 'weight', '7'],
  ['products', 'cost', '7'],
  ['products', 'special_price', '7'],
  ['products', 'is_returnable', '0'],
])('%s are found by %s through an index', async (what, field, value, condition = 'eq') => {
  const plan = await planOf(lists[what], field, value, condition);
  expect(plan).not.toContain('Seq Scan on pos_terminal t');
  expect(plan).not.toContain('Seq Scan on product');
  expect(plan).not.toContain('Seq Scan on pos_receipt');
  expect(plan).not.toContain('Seq Scan on pos_audit_log');
  expect(plan).toMatch(/Index Cond/);
});
