import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verify } from '../../books/verify/verify.ts';
import { eraseGuestData, exportGuest } from '../../cli/customer-data.ts';
import { addPoints } from '../../cli/add-points.ts';
import { eraseCustomer } from '../../db/customers/erase-customer.ts';
import { eraseGuest } from '../../db/customers/erase-guest.ts';
import { createReturn, initialiseReturn } from '../../db/returns/create-return.ts';
import { claimReceipt } from '../../db/receipts/claim-receipt.ts';
import { testApi, type TestApi } from '../support/api.ts';
import { booksOf } from '../support/books.ts';
import { everyWord } from '../support/books/every-word.ts';
import { aBareReceipt } from '../support/builders/bare-receipt.ts';
import { aReceipt, aTerminal, secretKey } from '../support/builders/counter.ts';
import { aLayaway } from '../support/builders/layaway.ts';
import { anOrder } from '../support/builders/order.ts';
import { aPostedSale, anAddress } from '../support/builders/posted-sale.ts';
import { aRefundAttempt, anItem, aRequestedReturn } from '../support/builders/return.ts';
import { aShop } from '../support/builders/shop.ts';
import { commandContextOf } from './support.ts';

describe('a guest’s data', () => {
  let api: TestApi;
  let terminalId: number;
  let locationId: number;
  let sales = 0;
  beforeAll(async () => {
    api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
    ({ locationId } = await aShop(fork()));
    ({ terminalId } = await aTerminal(fork(), { locationId }));
  });
  afterAll(() => api.close());

  const books = booksOf(() => api.orm);
  const { fork, find, findOne, howMany, insert, change } = books;
  const shop = () => commandContextOf(api.orm);
  const post = async (path: string, body: object) => {
    const answer = await api.call('POST', path, { token: api.tokens.admin, body });
    return answer.body;
  };
  const silent = () => undefined;
  const erase = (who: string, options = {}) => eraseGuestData(shop(), who, options, silent);
  const namesIn = async (pattern: RegExp) => (await everyWord(books)).match(pattern);

  /** Somebody without an account buys two mugs: order and receipt with their names. */
  async function aSale(
    email: string,
    telephone = '+1 555 0177',
  ): Promise<{ orderId: number; saleId: string; paper: object }> {
    const saleId = `guest-sale-${++sales}`;
    const guest = { email, telephone, firstname: 'Gunda', lastname: 'Gast', street: ['9 Hidden Row'] };
    const paper = aReceipt(terminalId, {
      ...{ sale_id: saleId, customer_name: 'Gunda Gast', customer_email: email },
      raw_payload: JSON.stringify({ customer: { name: 'Gunda Gast', email }, items: [{ name: 'Mug' }] }),
    });
    await post('/V1/pos/receipts', { receipt: paper });
    const entity = aPostedSale({
      ...{ customer_is_guest: 1, customer_id: null, customer_group_id: 0, customer_email: email },
      ...{ customer_firstname: 'Gunda', customer_lastname: 'Gast', remote_ip: '203.0.113.9' },
      ...{ billing_address: anAddress(guest), extension_attributes: { pos_sale_id: saleId } },
    });
    const { entity_id: orderId } = await post('/V1/orders', { entity });
    await post(`/V1/order/${orderId}/invoice`, { capture: true });
    return { orderId, saleId, paper };
  }

  test('a guest gets all that the shop has about them, however the address is written, and no secret', async () => {
    const { orderId } = await aSale('Gunda@Mail.example');
    await insert('newsletter_subscriber', { website_id: 1, store_id: 1, email: 'gunda@mail.example', status: 1 });
    const { text, json } = await exportGuest(shop(), ' GUNDA@mail.EXAMPLE ');
    const data = json as Record<string, Record<string, unknown>[]>;

    expect(data['orders']).toMatchObject([{ entity_id: orderId, customer_lastname: 'Gast' }]);
    expect(data['order_addresses']?.[0]).toMatchObject({ street: ['9 Hidden Row'] });
    expect(data['order_lines']).toMatchObject([{ sku: 'MUG' }]);
    expect(data['receipts']).toMatchObject([{ customer_name: 'Gunda Gast' }]);
    expect(data['receipt_lines']).toHaveLength(2);
    expect(data['newsletter']).toMatchObject([{ email: 'gunda@mail.example' }]);
    expect(text).not.toMatch(/sealed_token|token_digest|protect_code/);
    expect((await exportGuest(shop(), '(+1) 555-0177')).json).toMatchObject({ orders: [{ entity_id: orderId }] });
  });

  test('a dry run says what would go and changes nothing', async () => {
    const before = await everyWord(books);
    const { text, json, isFine } = await erase('gunda@mail.example', { dryRun: true });

    expect(text).toBe(
      'Would be erased: 1 orders, 1 receipts, 0 carts, 0 held carts, 1 newsletters, 0 addresses on orders of others.',
    );
    expect([isFine, json]).toEqual([true, expect.objectContaining({ orders: 1, dry_run: true, open: [] })]);
    expect(await everyWord(books)).toBe(before);
  });

  test('an erased guest is nowhere in the shop; order, figures, receipt and a line of the trail are', async () => {
    const [sold] = await find('sales_order', { customer_email: 'Gunda@Mail.example' });
    await insert('quote', { website_id: 1, store_id: 1, customer_email: 'gunda@mail.example' });
    for (const [cart, data] of Object.entries({
      named: { customer: { email: 'gunda@mail.example' }, items: [{ name: 'Mug' }] },
      noted: { items: [], remark: 'call gunda@mail.example' },
    }))
      await insert('pos_held_cart', { location_id: locationId, cart_uuid: cart, cart_data: JSON.stringify(data) });
    const { text } = await erase('GUNDA@mail.example');

    expect(text).toBe(
      '1 orders, 1 receipts, 1 carts, 2 held carts, 1 newsletters, 0 addresses on orders of others lost their ' +
        'names, or went.',
    );
    // The answers that are kept for repeats go after seven days.
    await books.remove('keyed_request', {});
    // Whole words: four digits or letters alone stand in random tokens now and then.
    expect(await namesIn(/gunda|\bGast\b|Hidden|555\D*0177|203\.0\.113\.9/i)).toBeNull();
    expect(await findOne('sales_order', { entity_id: sold!['entity_id'] })).toMatchObject({
      grand_total: sold!['grand_total'],
      increment_id: sold!['increment_id'],
      customer_email: `erased-order-${sold!['entity_id']}@erased.invalid`,
    });
    expect(await findOne('pos_receipt', { order_increment_id: sold!['increment_id'] })).toMatchObject({
      grand_total: expect.anything(),
      raw_payload: '{"customer":{"name":null,"email":null},"items":[{"name":"Mug"}]}',
    });
    expect(await find('pos_held_cart', {}, 'cart_uuid')).toEqual([{ cart_uuid: 'named' }]);
    expect(await find('pos_audit_log', { entity_type: 'guest' }, 'entity_id', 'new_value')).toEqual([
      { entity_id: String(sold!['entity_id']), new_value: 'erased' },
    ]);
    expect(await verify(fork())).toEqual([]);
  });

  test('who is erased again, or was never there, is answered so, and nothing changes', async () => {
    const before = await everyWord(books);
    expect((await erase('gunda@mail.example')).text).toBe('The shop has nothing about this person.');
    await expect(exportGuest(shop(), 'gunda@mail.example')).rejects.toMatchObject({ status: 404 });
    expect(await everyWord(books)).toBe(before);
  });

  test('an erasure that is broken off goes on when it is repeated', async () => {
    for (let n = 0; n < 3; n++) await aSale('three@mail.example');
    const by = { changeSource: 'admin', staffName: 'ada' } as const;
    const breaksOff = () => {
      throw new Error('the machine went away');
    };
    const who = { email: 'three@mail.example' };
    await expect(eraseGuest(fork(), { who, by, tell: breaksOff, batch: 1 })).rejects.toThrow('went away');
    expect(await howMany('sales_order', { customer_email: who.email })).toBe(2);

    expect(await eraseGuest(fork(), { who, by, batch: 1 })).toMatchObject({ orders: 2, receipts: 2 });
    expect(await howMany('pos_receipt', { customer_email: who.email })).toBe(0);
    expect(await howMany('pos_audit_log', { entity_type: 'guest', staff_name: 'ada' })).toBe(2);
  });

  test('as long as something of a guest is open, nothing of theirs goes', async () => {
    const openEnds = {
      'has an open return': async () => (await aRequestedReturn(api.orm)).orderId,
      'has a refund that is not decided': async () => {
        const { orderId, returnId } = await aRefundAttempt(api.orm, { locationId });
        await change('sale_return', { return_id: returnId }, { status: 'closed' });
        return orderId;
      },
      'is laid away': async () => (await aLayaway(fork())).orderId,
      'is not paid': async () => (await anOrder(fork(), { paid: false, shipped: false })).orderId,
    };
    let nth = 0;
    for (const [why, make] of Object.entries(openEnds)) {
      const email = `open-${++nth}@mail.example`;
      const { orderId: ended } = await aSale(email);
      const open = await make();
      await change('sales_order', { entity_id: open }, { customer_email: email, customer_id: null });
      await expect(erase(email)).rejects.toMatchObject({ status: 400, message: 'Order %1 %2: end that first.' });
      const { text, isFine } = await erase(email, { dryRun: true });
      expect([isFine, text.split('\n').at(-1)]).toEqual([false, expect.stringContaining(`${why}: end that first.`)]);
      expect(await findOne('sales_order', { entity_id: ended })).toMatchObject({ customer_lastname: 'Gast' });
    }
  });

  test('whoever has an account is erased there first; what other websites have of the address goes after that', async () => {
    const email = 'both@mail.example';
    const { orderId } = await aSale(email);
    await insert('website', { website_id: 2, code: 'two', name: 'Two', base_currency_code: 'USD' });
    await insert('store_view', { store_id: 9, website_id: 2, code: 'two', name: 'Two', currency_code: 'USD' });
    await change('sales_order', { entity_id: orderId }, { store_id: 9 });
    const of = { website_id: 1, store_id: 1, group_id: 1, email, firstname: 'Bo', lastname: 'Th' };
    await insert('customer', of);
    const { id } = await findOne('customer', { email });

    await expect(erase(email)).rejects.toMatchObject({ status: 400 });
    expect((await erase(email, { dryRun: true })).text).toContain(`Customer ${id} has this address`);
    expect((await exportGuest(shop(), email)).json).toMatchObject({ accounts: [id] });
    await eraseCustomer(fork(), { customerId: id, now: new Date(), by: { changeSource: 'admin' } });
    expect((await erase(email)).json).toMatchObject({ orders: 1 });
  });

  test('the list of changed customers has erased and deleted ones, without their data, and no other list has them', async () => {
    const account = async (email: string) => {
      await insert('customer', { website_id: 1, store_id: 1, group_id: 1, email, firstname: 'Erik', lastname: 'Gone' });
      return Number((await findOne('customer', { email }))['id']);
    };
    const by = { changeSource: 'admin' } as const;
    const ids: number[] = [];
    for (const name of ['erik-1', 'erik-2', 'erik-3', 'erik-4']) ids.push(await account(`${name}@mail.example`));
    const [plain, withLedger, deleted, stays] = ids;
    for (const points of ['5', '-5']) await addPoints(shop(), { customer: String(withLedger), points });
    for (const id of ids) await change('customer', { id }, { updated_at: new Date(Date.now() - 3_600_000) });
    const since = new Date(Date.now() - 60_000).toISOString().slice(0, 19).replace('T', ' ');
    const get = (path: string) => api.call('GET', path, { token: api.tokens.admin });
    const search = async (...filters: [field: string, value: string, condition: string][]) => {
      const query = filters.flatMap(([field, value, condition], at) => {
        const name = (key: string) => `searchCriteria[filter_groups][${at}][filters][0][${key}]`;
        return [
          [name('field'), field],
          [name('value'), value],
          [name('condition_type'), condition],
        ];
      });
      const { body } = await get(`/V1/customers/search?${new URLSearchParams(query).toString()}`);
      return body.items.filter(({ id }: { id: number }) => ids.includes(id));
    };
    expect(await search(['updated_at', since, 'gteq'])).toEqual([]);
    for (const customerId of [Number(plain), Number(withLedger)])
      await eraseCustomer(fork(), { customerId, now: new Date(), by });
    expect((await api.call('DELETE', `/V1/customers/${deleted}`, { token: api.tokens.admin })).status).toBe(200);

    for (let run = 0; run < 2; run++) {
      const delta = await search(['updated_at', since, 'gteq'], ['entity_id', '0', 'gt']);
      expect(delta).toMatchObject(
        [plain, withLedger, deleted].map((id) => ({
          ...{ id, email: `erased-${id}@erased.invalid`, firstname: 'Erased', lastname: 'Customer', addresses: [] },
          extension_attributes: { is_subscribed: false, is_erased: true },
        })),
      );
      expect(JSON.stringify(delta)).not.toMatch(/erik|Gone/i);
    }
    expect(await search(['updated_at', since, 'gteq'], ['entity_id', String(withLedger), 'gt'])).toMatchObject([
      { id: deleted },
    ]);
    expect((await search(['entity_id', '0', 'gt'])).map(({ id }: { id: number }) => id)).toEqual([withLedger, stays]);
    expect((await get(`/V1/customers/${plain}`)).status).toBe(404);
    const later = new Date(Date.now() + 60_000).toISOString().slice(0, 19).replace('T', ' ');
    expect(await search(['updated_at', later, 'gt'])).toEqual([]);
  });

  test('the walk-in customer is nobody, and neither is a word or a short number', async () => {
    for (const nobody of ['walk-in@example.com', 'erased-order-7@erased.invalid', 'Gunda Gast', '12345']) {
      await expect(erase(nobody)).rejects.toMatchObject({ status: 400 });
      await expect(exportGuest(shop(), nobody)).rejects.toMatchObject({ status: 400 });
    }
  });

  test('by telephone go orders without an account; those of accounts and other numbers stay', async () => {
    const [mine, owned, other] = [
      await aSale('phone-1@mail.example', '0171 22 33 44'),
      await aSale('phone-2@mail.example', '0171 22 33 44'),
      await aSale('phone-3@mail.example', '0171 22 33 45'),
    ];
    const of = { website_id: 1, store_id: 1, group_id: 1, email: 'owner@mail.example', firstname: 'O', lastname: 'W' };
    await insert('customer', of);
    const { id } = await findOne('customer', { email: of.email });
    await change('sales_order', { entity_id: owned.orderId }, { customer_id: id });

    expect((await erase('0171/223344')).json).toMatchObject({ orders: 1, receipts: 1 });
    const nameOf = async ({ orderId }: { orderId: number }) =>
      (await findOne('sales_order', { entity_id: orderId }))['customer_lastname'];
    expect([await nameOf(mine), await nameOf(owned), await nameOf(other)]).toEqual([null, 'Gast', 'Gast']);
  });

  test('a receipt of a refund goes with its order; one of another store with the same number stays', async () => {
    const { orderId } = await aSale('refunded@mail.example');
    const { increment_id: number } = await findOne('sales_order', { entity_id: orderId });
    const { orderId: twin } = await anOrder(fork(), { storeId: 2 });
    await change('sales_order', { entity_id: twin }, { increment_id: number });
    const refund = { sale_type: 'refund', original_order_increment_id: number, customer_name: 'Gunda Gast' };
    await change('pos_location', { location_id: locationId }, { store_view_id: 1 });
    await aBareReceipt(api.orm, { ...refund, pos_order_id: 'back-here', location_id: locationId });
    await aBareReceipt(api.orm, { order_increment_id: number, pos_order_id: 'elsewhere', customer_name: 'Twin' });

    expect((await erase('refunded@mail.example')).json).toMatchObject({ orders: 1, receipts: 2 });
    const named = async (sale: string) => (await findOne('pos_receipt', { pos_order_id: sale }))['customer_name'];
    expect([await named('back-here'), await named('elsewhere')]).toEqual([null, 'Twin']);
    await change('pos_location', { location_id: locationId }, { store_view_id: null });
  });

  test('an address on somebody else’s order goes, and that order keeps its buyer', async () => {
    const { orderId } = await aSale('giver@mail.example');
    await insert('sales_order_address', {
      ...{ order_id: orderId, address_type: 'shipping', firstname: 'Given', email: 'given@mail.example' },
    });
    expect((await erase('given@mail.example')).json).toMatchObject({ orders: 0, addresses: 1 });
    expect(await namesIn(/given@|Given/)).toBeNull();
    expect(await findOne('sales_order', { entity_id: orderId })).toMatchObject({
      customer_email: 'giver@mail.example',
    });
  });

  test('after the erasure the order lives on: it is sent again, comes back, is mailed to nobody and can be claimed', async () => {
    const { orderId, saleId, paper } = await aSale('later@mail.example');
    await post(`/V1/order/${orderId}/ship`, {});
    const { receipt_id: receiptId, token_digest: tokenDigest } = await findOne('pos_receipt', { pos_order_id: saleId });
    const mail = { kind: 'receipt', receipt_id: receiptId, sealed_to: 'sealed', wish_digest: 'w', mail_key: 'waits' };
    await insert('mail_outbox', mail);
    await erase('later@mail.example');
    expect(await findOne('mail_outbox', { mail_key: 'waits' })).toMatchObject({ state: 'dropped', sealed_to: null });

    // The register sends its receipt once more.
    expect(await post('/V1/pos/receipts', { receipt: paper })).toMatchObject({ receipt_id: receiptId });
    expect(await findOne('pos_receipt', { pos_order_id: saleId })).toMatchObject({ customer_name: null });
    // The office sends the order by mail.
    expect(await post(`/V1/orders/${orderId}/emails`, {})).toBe(false);
    expect(await howMany('mail_outbox', { document_id: orderId })).toBe(0);
    // A mug comes back for cash.
    const [item] = await find('sales_order_item', { order_id: orderId }, 'item_id');
    const { returnId } = await createReturn(api.orm.em, {
      ...{ orderId, customerId: null, locationId, items: [anItem(item!['item_id'])], comment: null },
      ...{ isAutoApproved: true, refundMethod: 'cash', posSaleId: null },
    });
    await initialiseReturn(api.orm.em, { returnId, canRefundThrough: () => true });
    expect(await findOne('sale_return', { return_id: returnId })).toMatchObject({ status: 'awaiting_refund' });
    const of = {
      website_id: 1,
      store_id: 1,
      group_id: 1,
      email: 'holder@mail.example',
      firstname: 'Hol',
      lastname: 'Der',
    };
    await insert('customer', of);
    const { id } = await findOne('customer', { email: of.email });
    await claimReceipt(fork(), { tokenDigest, customerId: id });
    expect(await findOne('sales_order', { entity_id: orderId })).toMatchObject({
      ...{ customer_id: id, customer_email: of.email, customer_lastname: 'Der' },
    });
  });
});
