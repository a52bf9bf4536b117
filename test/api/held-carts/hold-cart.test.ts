import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { booksOf } from '../../support/books.ts';
import { manyRecords } from '../../support/books/many-records.ts';
import { aStaffMember } from '../../support/builders/counter.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { atOnce } from '../../support/rivals.ts';
import { opensACartRack, api, locationId, aCart, call, hold, recall, list, idsOf, aLocation } from './a-cart-rack.ts';

opensACartRack();

const books = booksOf(() => api.orm);
const { fork, find, howMany, remove } = books;

describe('a parked cart', () => {
  test('is answered as sent, and is complete for the register that recalls it', async () => {
    const { staffId } = await aStaffMember(fork());
    const sent = aCart({ staff_id: 3, staff_name: 'Ada', terminal_id: 4, hold_comment: 'back in five', schema: 9 });
    const { status, body } = await hold(sent);

    const { schema: _unknown, ...known } = sent as Record<string, unknown>;
    expect(status).toBe(200);
    expect(body).toEqual({
      ...known,
      held_cart_id: expect.any(Number),
      recalled_by_staff_id: null,
      recalled_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      updated_at: expect.any(String),
    });

    const taken = await recall(body.held_cart_id, staffId);
    expect(taken.body).toEqual({
      ...body,
      recalled_by_staff_id: staffId,
      recalled_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  test('may be without all that is optional, in camelCase, with its numbers as text', async () => {
    const { body } = await hold({
      locationId: String(locationId),
      cartUuid: randomUUID(),
      cartData: '',
      grandTotal: '-12.34567',
      itemCount: null,
    });
    expect(body).toMatchObject({ grand_total: -12.3457, item_count: null, staff_id: null, hold_comment: null });
  });

  test('is one cart, however its UUID is spelled and however many registers post it at once', async () => {
    const sent = aCart();
    const spellings = [
      sent.cart_uuid,
      sent.cart_uuid.toUpperCase(),
      `{${sent.cart_uuid}}`,
      sent.cart_uuid.replaceAll('-', ''),
    ];
    const answers = await atOnce(16, (n) => hold({ ...sent, cart_uuid: spellings[n % 4], item_count: n }));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.held_cart_id)).size).toBe(1);
    expect(answers.map(({ body }) => body.cart_uuid)).toEqual(answers.map((_, n) => spellings[n % 4]));
    const key = sent.cart_uuid.replaceAll('-', '');
    expect(await howMany('pos_held_cart', { held_cart_id: answers[0]!.body.held_cart_id, cart_key: key })).toBe(1);
  });

  test('posted again changes its data and stays where it was in the list', async () => {
    const at = await aLocation('again');
    const first = (await hold(aCart({ location_id: at, hold_comment: 'old' }))).body;
    const second = (await hold(aCart({ location_id: at }))).body;

    const again = await hold({ ...aCart({ location_id: at, cart_uuid: first.cart_uuid }), cart_data: 'new' });

    expect(again.body).toMatchObject({
      held_cart_id: first.held_cart_id,
      cart_data: 'new',
      hold_comment: null,
      created_at: first.created_at,
    });
    expect(await idsOf('', at)).toEqual([second.held_cart_id, first.held_cart_id]);
  });

  test.each(['CART-1', 'V1StGXR8_Z5jdHi6B-myT', 'till_7:2026-11-22', '{A}'])(
    'named %j is one cart under that name, in the list, at the recall and at its end',
    async (name) => {
      const at = await aLocation(name);
      const held = (await hold(aCart({ location_id: at, cart_uuid: name }))).body;
      const again = (await hold(aCart({ location_id: at, cart_uuid: name }))).body;
      const other = (await hold(aCart({ location_id: at, cart_uuid: `${name.slice(0, -1)}z` }))).body;

      expect(again).toMatchObject({ held_cart_id: held.held_cart_id, cart_uuid: name });
      expect((await list('', at)).body.map((cart: { cart_uuid: string }) => cart.cart_uuid)).toContain(name);
      expect((await recall(held.held_cart_id)).body.cart_uuid).toBe(name);
      expect((await call('DELETE', `/uuid/${encodeURIComponent(name)}`)).body).toBe(true);
      expect(await idsOf('', at)).toEqual([other.held_cart_id]);
    },
  );

  test('whose name is not a UUID is another cart in other letters: some clients tell ids apart by case', async () => {
    const one = (await hold(aCart({ cart_uuid: 'aB3xY' }))).body;
    const other = (await hold(aCart({ cart_uuid: 'Ab3xY' }))).body;
    expect(other.held_cart_id).not.toBe(one.held_cart_id);
    await call('DELETE', '/uuid/aB3xY');
    expect(await idsOf('?pageSize=500')).toContain(other.held_cart_id);
  });

  test.each([
    ['no location', { location_id: null }],
    ['no UUID', { cart_uuid: null }],
    ['no data', { cart_data: null }],
    ['an id that no client makes', { cart_uuid: 'my cart' }],
    ['an id with a slash', { cart_uuid: 'a/b' }],
    ['an id beyond its column', { cart_uuid: 'x'.repeat(101) }],
    ['less than nothing in it', { item_count: -1 }],
    ['a total that is no number', { grand_total: 'NaN' }],
    ['data that are no text', { cart_data: { lines: [] } }],
    ['more data than a cart may have', { cart_data: 'x'.repeat(524_289) }],
    ['a zero character', { cart_data: 'a\u0000b' }],
    ['a location beyond all numbers', { location_id: 1e12 }],
  ])('with %s is refused, and nothing is kept', async (_case, more) => {
    const before = await find('pos_held_cart', {}, 'held_cart_id');
    expect((await hold(aCart(more))).status).toBe(400);
    expect(await find('pos_held_cart', {}, 'held_cart_id')).toEqual(before);
  });

  test('of an unknown location could not be saved', async () => {
    expect(await hold(aCart({ location_id: 99_999 }))).toMatchObject({
      status: 400,
      body: { message: 'Could not save the held cart: %1', parameters: ['the location does not exist'] },
    });
  });
});

describe('the list', () => {
  test('has the location’s own carts, newest first, a page of them', async () => {
    const at = await aLocation('listed');
    const ids: number[] = [];
    for (let n = 0; n < 3; n++) ids.unshift((await hold(aCart({ location_id: at }))).body.held_cart_id);
    await recall(ids[2]!);

    expect(await idsOf('', at)).toEqual(ids);
    expect(await idsOf('?pageSize=2', at)).toEqual(ids.slice(0, 2));
    expect(await idsOf('?pageSize=0', at)).toEqual(ids);
    expect(await idsOf('?pageSize=100000', at)).toEqual(ids);
    expect((await list('?pageSize=ten', at)).status).toBe(400);
    expect(await idsOf('', 99_999)).toEqual([]);
  });

  test('has a hundred carts by default, and no more data than a register can read', async () => {
    const at = await aLocation('full');
    const large = 'x'.repeat(500_000);
    await books.insertAll(
      'pos_held_cart',
      manyRecords(130, (n) => ({ location_id: at, cart_uuid: randomUUID(), cart_data: n > 110 ? large : 'xxx' })),
    );
    expect(await idsOf('', at)).toHaveLength(16);
    await remove('pos_held_cart', { location_id: at, cart_data: large });
    expect(await idsOf('', at)).toHaveLength(100);
    expect(await idsOf('?pageSize=110', at)).toHaveLength(110);
  });

  test('is at most five hundred carts, whatever a register asks for', async () => {
    const at = await aLocation('crowded');
    await books.insertAll(
      'pos_held_cart',
      manyRecords(510, () => ({ location_id: at, cart_uuid: randomUUID(), cart_data: '{}' })),
    );
    expect(await idsOf('?pageSize=501', at)).toHaveLength(500);
    expect(await idsOf('?pageSize=-5', at)).toHaveLength(500);
  });

  test('is not sent again to a register that has it, until something changed', async () => {
    const at = await aLocation('tagged');
    const { held_cart_id: id } = (await hold(aCart({ location_id: at }))).body;
    const other = (await hold(aCart({ location_id: at }))).body;
    const tagOf = async () => (await list('', at)).headers.get('etag')!;

    const tag = await tagOf();
    const unchanged = await list('', at, tag);
    expect([unchanged.status, unchanged.body]).toEqual([304, '']);
    expect((await list('', at, `"other", ${tag}`)).status).toBe(304);
    expect((await list('?pageSize=1', at, tag)).status).toBe(200);

    const tags = [tag];
    const changes = [
      () => hold({ ...aCart({ location_id: at }), cart_uuid: other.cart_uuid }),
      () => recall(id),
      () => call('DELETE', `/${id}`),
      () => hold(aCart({ location_id: at })),
    ];
    for (const change of changes) {
      await change();
      const answer = await list('', at, tags.at(-1));
      expect(answer.status).toBe(200);
      tags.push(answer.headers.get('etag')!);
    }
    expect(new Set(tags).size).toBe(5);
    expect((await list('', at, tags.at(-1))).status).toBe(304);
  });
});

test('a comment with a card number is refused, and no cart is held', async () => {
  const before = await idsOf();
  const said = 'The text must not be stored: it carries a card number.';
  const cart = aCart({ hold_comment: 'Card 4111 1111 1111 1111' });
  await expectRefused({ send: () => hold(cart), status: 400, said });
  expect(await idsOf()).toEqual(before);
});
