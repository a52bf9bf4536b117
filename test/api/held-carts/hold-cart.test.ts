import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/mark-replayed.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aStaffMember } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';

let api: TestApi;
let locationId: number;

beforeAll(async () => {
  api = await testApi();
  ({ locationId } = await aShop(fork()));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const fork = () => api.orm.em.fork();
const aCart = (more: Record<string, unknown> = {}) => ({
  location_id: locationId,
  cart_uuid: randomUUID(),
  cart_data: '{"lines":[{"sku":"MUG","qty":2}]}',
  customer_name: 'Grace Hopper',
  item_count: 2,
  grand_total: 108.5,
  currency_code: 'USD',
  ...more,
});
const call = (method: string, path: string, body?: unknown) =>
  api.call(method, `/V1/pos/held-carts${path}`, {
    token: api.tokens.register,
    ...(body === undefined ? {} : { body }),
  });
const hold = (heldCart: unknown) => call('POST', '', { heldCart });
const recall = (id: number, staffId: unknown = 1) => call('POST', `/${id}/recall`, { staffId });
const list = (query = '', at = locationId, etag?: string) =>
  api.call('GET', `/V1/pos/held-carts/location/${at}${query}`, {
    token: api.tokens.register,
    ...(etag === undefined ? {} : { headers: { 'if-none-match': etag } }),
  });
const idsOf = async (query?: string, at?: number) =>
  (await list(query, at)).body.map((cart: { held_cart_id: number }) => cart.held_cart_id);
const aLocation = async (code: string) => {
  const [row] = await fork().execute<{ location_id: number }[]>(
    'insert into pos_location (name, code) values (?, ?) returning location_id',
    [code, code],
  );
  return row!.location_id;
};

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
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => hold({ ...sent, cart_uuid: spellings[n % 4], item_count: n })),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => body.held_cart_id)).size).toBe(1);
    expect(answers.map(({ body }) => body.cart_uuid)).toEqual(answers.map((_, n) => spellings[n % 4]));
    const kept = 'select 1 from pos_held_cart where held_cart_id = ? and cart_key = ?';
    const key = sent.cart_uuid.replaceAll('-', '');
    expect(await fork().execute(kept, [answers[0]!.body.held_cart_id, key])).toHaveLength(1);
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

  test('whose name is no UUID is another one in other letters: some clients tell ids apart by case alone', async () => {
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
    const before = await fork().execute('select held_cart_id from pos_held_cart');
    expect((await hold(aCart(more))).status).toBe(400);
    expect(await fork().execute('select held_cart_id from pos_held_cart')).toEqual(before);
  });

  test('of an unknown location could not be saved', async () => {
    expect(await hold(aCart({ location_id: 99_999 }))).toMatchObject({
      status: 400,
      body: { message: 'Could not save the held cart: %1', parameters: ['the location does not exist'] },
    });
  });
});

describe('recalling', () => {
  test('of 16 registers one wins; the others learn who has the cart and since when', async () => {
    for (let round = 0; round < 5; round++) {
      const { held_cart_id: id } = (await hold(aCart())).body;
      const staff = await Promise.all(
        Array.from({ length: 16 }, (_, n) => aStaffMember(fork(), { firstName: `F${n}`, lastName: 'Doe' })),
      );
      const answers = await Promise.all(staff.map(({ staffId }) => recall(id, staffId)));

      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      const winner = staff.findIndex(({ staffId }) => staffId === won[0]!.body.recalled_by_staff_id);
      for (const { status, body } of answers.filter((answer) => answer !== won[0])) {
        expect(status).toBe(400);
        expect(body).toEqual({
          message: 'The held cart was already recalled by %1 at %2.',
          parameters: [`F${winner} Doe`, won[0]!.body.recalled_at],
        });
      }
    }
  });

  test('again by the same person with the same token answers the cart again: the first answer was lost', async () => {
    const { held_cart_id: id } = (await hold(aCart())).body;
    const first = await recall(id, 77_777);
    const again = await Promise.all(Array.from({ length: 4 }, () => recall(id, 77_777)));
    expect([first.status, first.headers.get(replayHeader)]).toEqual([200, null]);
    for (const { status, body, headers } of again)
      expect([status, body, headers.get(replayHeader)]).toEqual([200, first.body, 'true']);
  });

  test('again by another person, with another token, or long after, is refused: it may be another register', async () => {
    const { held_cart_id: id } = (await hold(aCart())).body;
    await recall(id, 77_777);
    const taken = { status: 400, body: { parameters: ['staff 77777', expect.any(String)] } };
    expect(await recall(id, 77_778)).toMatchObject(taken);
    const token = await api.tokenFor('Vendor_Pos::locations');
    const body = { staffId: 77_777 };
    expect(await api.call('POST', `/V1/pos/held-carts/${id}/recall`, { token, body })).toMatchObject(taken);
    const late = (await hold(aCart())).body.held_cart_id;
    await fork().execute(
      `insert into pos_held_cart (location_id, cart_uuid, cart_data, recalled_at, recalled_by_staff_id, recalled_by_caller)
       select location_id, gen_random_uuid(), cart_data, now() - interval '11 minutes', 77777, c.recalled_by_caller
       from pos_held_cart h, (select recalled_by_caller from pos_held_cart where held_cart_id = ?) c where held_cart_id = ?`,
      [id, late],
    );
    expect(await recall(late + 1, 77_777)).toMatchObject(taken);
  });

  test('a late post of a recalled cart changes its data and keeps its claim', async () => {
    const sent = aCart();
    const { held_cart_id: id } = (await hold(sent)).body;
    const taken = (await recall(id, 5)).body;

    const late = (await hold({ ...sent, item_count: 3 })).body;

    expect(late).toMatchObject({ item_count: 3, recalled_by_staff_id: 5, recalled_at: taken.recalled_at });
    expect((await recall(id, 6)).status).toBe(400);
  });

  test('posts and recalls at once never leave a cart that two have', async () => {
    const sent = aCart();
    const { held_cart_id: id } = (await hold(sent)).body;
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => (n % 3 === 0 ? hold({ ...sent, item_count: n }) : recall(id, n))),
    );
    expect(answers.filter(({ status }, n) => n % 3 !== 0 && status === 200)).toHaveLength(1);
    expect((await recall(id, 99)).status).toBe(400);
  });

  test('no statement at all frees a claimed cart', async () => {
    const { held_cart_id: id } = (await hold(aCart())).body;
    await recall(id, 5);
    await expect(
      fork().execute(
        'update pos_held_cart set recalled_at = null, recalled_by_staff_id = null where held_cart_id = ?',
        [id],
      ),
    ).rejects.toThrow(/is claimed/);
  });

  test('an unknown cart is a 404, a call without a member of staff a 400', async () => {
    expect(await recall(99_999)).toMatchObject({
      status: 404,
      body: { message: 'Held cart with id %1 does not exist', parameters: [99_999] },
    });
    const { held_cart_id: id } = (await hold(aCart())).body;
    expect((await recall(id, null)).status).toBe(400);
    expect((await recall(id, 'Ada')).status).toBe(400);
    expect((await recall(id)).status).toBe(200);
  });
});

describe('removing', () => {
  test('by number: true, and then it is gone', async () => {
    const { held_cart_id: id } = (await hold(aCart())).body;
    expect(await call('DELETE', `/${id}`)).toMatchObject({ status: 200, body: true });
    expect((await call('DELETE', `/${id}`)).status).toBe(404);
    expect((await recall(id)).status).toBe(404);
  });

  test('by UUID: true for a cart that is there, and for one that never came', async () => {
    const { held_cart_id: id, cart_uuid: uuid } = (await hold(aCart())).body;
    expect(await call('DELETE', `/uuid/${uuid.toUpperCase()}`)).toMatchObject({ status: 200, body: true });
    expect(await idsOf()).not.toContain(id);
    expect((await call('DELETE', `/uuid/${randomUUID()}`)).body).toBe(true);
    expect((await call('DELETE', '/uuid/my%20cart')).status).toBe(400);
  });

  test('a cart removed and parked again under its UUID is a new cart, which any register may recall', async () => {
    const sent = aCart();
    const first = (await hold(sent)).body;
    await recall(first.held_cart_id);
    await call('DELETE', `/${first.held_cart_id}`);
    const anew = (await hold(sent)).body;
    expect(anew).toMatchObject({ recalled_at: null });
    expect(anew.held_cart_id).not.toBe(first.held_cart_id);
  });

  test('a location with parked carts stays until each of them is recalled and removed', async () => {
    const at = await aLocation('closing');
    const ids = [(await hold(aCart({ location_id: at }))).body, (await hold(aCart({ location_id: at }))).body].map(
      (cart) => cart.held_cart_id,
    );
    const close = () => api.call('DELETE', `/V1/pos/locations/${at}`, { token: api.tokens.admin });
    const refusal = (carts: number) => ({
      status: 400,
      body: {
        message: 'Could not delete the location: %1',
        parameters: [`carts are parked there (${carts}); recall or delete them first`],
      },
    });

    expect(await close()).toMatchObject(refusal(2));
    expect(await close()).toMatchObject(refusal(2));
    await recall(ids[0]);
    await call('DELETE', `/${ids[0]}`);
    expect(await close()).toMatchObject(refusal(1));
    expect(await idsOf('', at)).toEqual([ids[1]]);
    await call('DELETE', `/${ids[1]}`);
    expect(await close()).toMatchObject({ status: 200, body: true });
  });

  test('a location that closes while a cart is parked there loses no cart', async () => {
    for (let round = 0; round < 5; round++) {
      const at = await aLocation(`racing ${round}`);
      const [closed, held] = await Promise.all([
        api.call('DELETE', `/V1/pos/locations/${at}`, { token: api.tokens.admin }),
        hold(aCart({ location_id: at })),
      ]);
      expect([closed.status, held.status].toSorted((one, other) => one - other)).toEqual([200, 400]);
      expect(await idsOf('', at)).toHaveLength(held.status === 200 ? 1 : 0);
    }
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
    await fork().execute(
      `insert into pos_held_cart (location_id, cart_uuid, cart_data)
       select ?, gen_random_uuid(), repeat('x', case when n > 110 then 500000 else 3 end) from generate_series(1, 130) n`,
      [at],
    );
    expect(await idsOf('', at)).toHaveLength(16);
    await fork().execute('delete from pos_held_cart where location_id = ? and octet_length(cart_data) > 3', [at]);
    expect(await idsOf('', at)).toHaveLength(100);
    expect(await idsOf('?pageSize=110', at)).toHaveLength(110);
  });

  test('is at most five hundred carts, whatever a register asks for', async () => {
    const at = await aLocation('crowded');
    await fork().execute(
      `insert into pos_held_cart (location_id, cart_uuid, cart_data)
       select ?, gen_random_uuid(), '{}' from generate_series(1, 510)`,
      [at],
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
