import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from '../../../../db/platform/customers/customer.entity.ts';
import { quickHash } from '../../../support/builders/counter.ts';
import { anOrder } from '../../../support/builders/order.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { aSecondWebsite } from '../../../support/builders/wallet.ts';
import { booksOf } from '../../../support/books.ts';
import { aStoredReceipt, receiptVisitor, type Page, type Visitor } from '../../../support/receipt-visitor.ts';
import { atOnce } from '../../../support/rivals.ts';

let shop: Visitor;

beforeAll(async () => {
  shop = await receiptVisitor(() => ({ state: 'sent' }));
  await aShop(fork());
  await aSecondWebsite(fork());
});
afterAll(() => shop.api.close());

const { theOrder, fork } = booksOf(() => shop.api.orm);
const password = 'Correct horse 1';
let people = 0;

async function somebody(of = { websiteId: 1, storeId: 1 }) {
  const email = `Claimer${++people}@shop.test`;
  const em = fork();
  const name = { firstname: 'Cleo', lastname: 'Claim' };
  const customer = em.create(Customer, { ...of, ...name, groupId: 1, email, passwordHash: quickHash(password) });
  await em.flush();
  return { email, password, customerId: customer.id };
}

async function aClaimable() {
  const { incrementId, orderId } = await anOrder(fork(), { paid: false, shipped: false });
  return { token: await aStoredReceipt(shop, { orderIncrementId: incrementId }), orderId };
}

/** Each from an address of its own: here it is not limits that are looked at. */
let places = 0;
const claim = (token: string, { email, password, token: own }: Given, headers?: Record<string, string>) => {
  const fields = Object.entries({ email, password, token: own }).filter(
    (field): field is [string, string] => !!field[1],
  );
  return shop.post(`/receipt/${token}/claim`, Object.fromEntries(fields), `198.51.100.${++places}`, headers);
};
interface Given {
  email?: string;
  password?: string;
  token?: string;
}
const ownerOf = async (orderId: number) => (await theOrder(orderId, 'customer_id')).customer_id;
const said = ({ html }: Page) => /role=["'](?:alert|status)["']>([^<]*)</.exec(html)?.[1];

test('with password, in whatever case of the address, the receipt is in the account, and the page says so', async () => {
  const [{ token, orderId }, ann] = [await aClaimable(), await somebody()];
  const page = await claim(token, { email: ` ${ann.email.toUpperCase()} `, password });

  expect([page.status, said(page)]).toEqual([200, 'The receipt is in your account now.']);
  expect(page.html).not.toContain('/claim');
  expect(page.html).not.toContain(password);
  expect(await ownerOf(orderId)).toBe(ann.customerId);
  expect((await shop.visit(`/receipt/${token}`)).html).not.toContain('/claim');
});

test.each(['header', 'form'])('with a customer’s own token, in the %s', async (where) => {
  const [{ token, orderId }, ann] = [await aClaimable(), await somebody()];
  const own = await shop.api.customerToken(ann.customerId);
  const page = await (where === 'header'
    ? claim(token, {}, { authorization: `Bearer ${own}` })
    : claim(token, { token: own }));
  expect(page.status).toBe(200);
  expect(await ownerOf(orderId)).toBe(ann.customerId);
});

test('a second claim is refused, to the claimer and to others', async () => {
  const [{ token, orderId }, ann, ben] = [await aClaimable(), await somebody(), await somebody()];
  await claim(token, ann);
  const [again, other] = [await claim(token, ann), await claim(token, ben)];
  expect([again.status, said(again)]).toEqual([409, 'This receipt is already in your account.']);
  expect([other.status, said(other)]).toEqual([409, 'This receipt has already been claimed.']);
  expect(await ownerOf(orderId)).toBe(ann.customerId);
});

test('of eight claims at once one wins', async () => {
  const { token, orderId } = await aClaimable();
  const crowd = await atOnce(4, () => somebody());
  const pages = await Promise.all(crowd.flatMap((one) => [claim(token, one), claim(token, one)]));
  const winners = crowd.filter((_, at) => pages[2 * at]?.status === 200 || pages[2 * at + 1]?.status === 200);
  expect(pages.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200,
    ...Array<number>(7).fill(409),
  ]);
  expect(await ownerOf(orderId)).toBe(winners[0]?.customerId);
});

test('the answer does not show whether an address has an account', async () => {
  const [{ token, orderId }, ann] = [await aClaimable(), await somebody()];
  const elsewhere = await somebody({ websiteId: 2, storeId: 3 });
  const long = 'x'.repeat(2_000);
  const tries = [
    { email: ann.email, password: 'wrong' },
    { email: 'nobody@shop.test', password },
    { email: elsewhere.email, password },
    { email: `${long}@shop.test`, password },
    { email: ann.email, password: long },
    { email: 'nobody\u0000@shop.test', password },
    { token: 'a token of nobody' },
    { token: shop.api.tokens.admin },
    { token: await shop.api.customerToken(elsewhere.customerId) },
  ];
  const pages = await Promise.all(tries.map((fields) => claim(token, fields)));
  const bodies = new Set(pages.map(({ html }) => html));
  expect(pages.map(({ status }) => status)).toEqual(tries.map(() => 401));
  expect(bodies.size).toBe(1);
  expect(await ownerOf(orderId)).toBeNull();
});

test('six wrong passwords lock the name here as everywhere', async () => {
  const [{ token, orderId }, ann] = [await aClaimable(), await somebody()];
  for (let at = 0; at < 6; at++) await claim(token, { ...ann, password: 'wrong' });
  expect((await claim(token, ann)).status).toBe(401);
  expect(await ownerOf(orderId)).toBeNull();
});

test('before the order is placed nothing can be claimed, and no password is looked at', async () => {
  const [token, ann] = [await aStoredReceipt(shop), await somebody()];
  const page = await claim(token, { ...ann, password: 'wrong' });
  expect([page.status, said(page)]).toEqual([409, 'This purchase is still being booked. Please try again later.']);
});

test('an empty field is asked for', async () => {
  const { token } = await aClaimable();
  const page = await claim(token, { email: 'ann@shop.test', password: '' });
  expect([page.status, said(page)]).toEqual([400, 'Please enter your e-mail address and your password.']);
});

test('a save never moves a claimed order to another customer', async () => {
  const [{ token, orderId }, ann, ben] = [await aClaimable(), await somebody(), await somebody()];
  await claim(token, ann);
  const save = (customer_id: number) =>
    shop.api.call('POST', '/V1/orders', {
      token: shop.api.tokens.register,
      body: { entity: { entity_id: orderId, customer_id } },
    });
  expect((await save(ben.customerId)).status).toBe(400);
  expect((await save(ann.customerId)).status).toBe(200);
  expect(await ownerOf(orderId)).toBe(ann.customerId);
});
