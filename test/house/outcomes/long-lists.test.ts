import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { contentTypes } from '../../../api/content/content-type.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aTerminal, secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused } from '../../support/expect-refused.ts';

/** Lists that have a most: without pages, more is refused instead of cut off. */

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  const em = api.orm.em.fork();
  const { locationId } = await aShop(em);
  const { terminalId } = await aTerminal(em, { locationId });
  for (const { kind } of contentTypes)
    await em.execute(
      `insert into content_item (kind, identifier, title, content, liveview, changed_by, product_id, category_id)
       select ?, 'many_' || n, 'Many', 'x', true, 'ada', ${kind === 'product_attribute' ? '(select min(entity_id) from product)' : 'null'},
         ${kind === 'category_attribute' ? '1' : 'null'} from generate_series(1, 301) n`,
      [kind],
    );
  await em.execute(
    `insert into pos_audit_log (entity_type, entity_id, field_name) select 'location', '1', 'name' from generate_series(1, 2001)`,
  );
  await em.execute(
    `insert into pos_receipt (terminal_id, pos_order_id, token_digest, sealed_token)
     select ?, 'sale-' || n, 'digest-' || n, 'sealed' from generate_series(1, 2001) n`,
    [terminalId],
  );
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const lists = [...contentTypes.map(({ path }) => `${path}/search`), '/V1/pos/audit-log', '/V1/pos/receipts'];

test.each(lists)('%s has a most that pages lead beyond', async (path) => {
  const all = () => api.call('GET', `${path}?searchCriteria`, { token: api.tokens.admin });
  await expectRefused({ send: all, status: 400, said: 'Maximum SearchCriteria pageSize is %max' });
  const page = await api.call('GET', `${path}?searchCriteria[page_size]=1&searchCriteria[current_page]=3000`, {
    token: api.tokens.admin,
  });
  expect(page).toMatchObject({ status: 200, body: { items: [] } });
});
