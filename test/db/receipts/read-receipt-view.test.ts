import { beforeAll, expect, test } from '@jest/globals';
import { readReceiptView, readReceiptViewCounted } from '../../../db/receipts/read-receipt-view.ts';
import { saveReceipt, type NewReceipt } from '../../../db/receipts/save-receipt.ts';
import { secretBox } from '../../support/builders/counter.ts';
import { anOrder } from '../../support/builders/order.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { atOnce } from '../../support/rivals.ts';
import { firstId } from '../../support/first-id.ts';

const orm = useDatabase();
beforeAll(() => aShop(orm.em.fork()));

const { fork, howMany, change, configure } = booksOf(() => orm);
const means = { box: secretBox, publicBaseUrl: undefined };
let made = 0;

/** A stored receipt; its token. */
async function stored(fields: Partial<NewReceipt['fields']> = {}): Promise<string> {
  const token = (++made).toString(16).padStart(64, 'b');
  await saveReceipt(fork(), secretBox, {
    fields: { posOrderId: `sale-${made}`, currency: 'USD', ...fields },
    items: [{ sku: 'MUG', name: 'Mug' }],
    receiptToken: token,
  });
  return token;
}
const bucket = (name: string) => ({ name, limit: 3, windowSeconds: 600 });

test('where two stores have one number, a receipt without a location speaks the language of its own sale’s view', async () => {
  await change('store_view', { store_id: 2 }, { locale: 'fr_CA' });
  for (const storeId of [1, 2])
    await anOrder(fork(), { storeId, currency: 'USD', posSaleId: `twin-${storeId}`, columns: { incrementId: 'V-1' } });
  for (const [storeId, locale] of [
    [1, 'en_US'],
    [2, 'fr_CA'],
  ] as const) {
    const token = await stored({ posOrderId: `twin-${storeId}`, orderIncrementId: 'V-1' });
    expect((await readReceiptView(fork(), { token }, means)).locale).toBe(locale);
  }
});

test('a look that is counted sees what a look that is not sees, as the shop is now', async () => {
  const token = await stored({ locationId: firstId });
  const look = () => readReceiptViewCounted(fork(), { token, bucket: bucket('now') }, means);
  expect(await look()).toEqual(await readReceiptView(fork(), { token }, means));

  await change('pos_location', { location_id: firstId }, { receipt_footer: 'See you' });
  await configure('general/store_information/name', 'Harbor');
  expect(await look()).toMatchObject({ shop: { footer: 'See you', name: 'Harbor' } });
});

test('of twenty looks at once three are let in, and the others see nothing', async () => {
  const token = await stored();
  const looks = await atOnce(20, () => readReceiptViewCounted(fork(), { token, bucket: bucket('twenty') }, means));
  expect(looks.filter((view) => view !== undefined)).toHaveLength(3);
});

test.each(['f'.repeat(64), 'no token', ''])('the token %j is 404 and counts nowhere', async (token) => {
  const before = await howMany('rate_limit');
  const look = readReceiptViewCounted(fork(), { token, bucket: bucket(`none ${token}`) }, means);
  await expect(look).rejects.toMatchObject({ status: 404 });
  expect(await howMany('rate_limit')).toBe(before);
});

test('looks of one moment share a statement, and each visitor sees what was asked for', async () => {
  const [one, other] = [await stored({ receiptNumber: 'One' }), await stored({ receiptNumber: 'Other' })];
  const asked = Array.from({ length: 40 }, (_, at) => ({
    token: [one, other, 'e'.repeat(64)][at % 3] ?? '',
    bucket: bucket(`visitor ${at % 10}`),
  }));
  const looks = await Promise.allSettled(asked.map((look) => readReceiptViewCounted(fork(), look, means)));

  for (const [at, look] of looks.entries()) {
    if (at % 3 === 2) expect(look).toMatchObject({ status: 'rejected', reason: { status: 404 } });
    else if (look.status !== 'fulfilled') throw look.reason;
    else if (look.value) expect(look.value.facts.receiptNumber).toBe(at % 3 === 0 ? 'One' : 'Other');
  }
  const letIn = new Map<string, number>();
  for (const [at, look] of looks.entries())
    if (look.status === 'fulfilled' && look.value) {
      const name = asked[at]?.bucket.name ?? '';
      letIn.set(name, (letIn.get(name) ?? 0) + 1);
    }
  // Of four looks of each visitor, two or three are at a receipt: none is above its limit.
  expect([...letIn.values()].toSorted((less, more) => less - more)).toEqual([2, 2, 2, 3, 3, 3, 3, 3, 3, 3]);
});

test('after a few looks PostgreSQL keeps its plan: planning takes longer than reading', async () => {
  const token = await stored();
  // One after another they take the same connection, which keeps plans of its own.
  for (let look = 0; look < 12; look++) await readReceiptViewCounted(fork(), { token, bucket: bucket('plan') }, means);
  const kept = await fork().execute<{ generic_plans: string }[]>(
    `select generic_plans from pg_prepared_statements
     where statement like '%insert into rate_limit%' and statement like '%sealed_token%'`,
  );
  expect(Math.max(...kept.map(({ generic_plans }) => Number(generic_plans)))).toBeGreaterThanOrEqual(5);
});
