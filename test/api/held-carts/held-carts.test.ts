import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { replayHeader } from '../../../api/http/within.ts';
import { holdCart } from '../../../db/held-carts/hold-cart.ts';
import { openSession } from '../../../db/staff/sessions.ts';
import { databaseNow } from '../../../db/support/database-now.ts';
import { booksOf } from '../../support/books.ts';
import { manyRecords } from '../../support/books/many-records.ts';
import { aStaffMember, aTerminal } from '../../support/builders/counter.ts';
import { expectRefused } from '../../support/expect-refused.ts';
import { minutesAgo } from '../../support/moments.ts';
import { atOnce } from '../../support/rivals.ts';
import { aCart, aLocation, api, call, hold, idsOf, list, locationId, opensACartRack, recall } from './a-cart-rack.ts';

describe('hold cart', () => {
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
});

describe('park anew', () => {
  opensACartRack();

  const { findOne, fork, booksHold } = booksOf(() => api.orm);
  const free = { recalled_at: null, recalled_by_staff_id: null };

  test('a cart that its taker parks again is free for the next register, in its place in the list', async () => {
    const sent = aCart({ staff_id: 3, terminal_id: 4 });
    const held = (await hold(sent)).body;
    const younger = (await hold(aCart())).body;

    for (const staffId of [5, 6, 5]) {
      expect((await recall(held.held_cart_id, staffId)).body).toMatchObject({ recalled_by_staff_id: staffId });
      const parked = (await hold({ ...sent, staff_id: staffId, cart_data: `by ${staffId}` })).body;
      expect(parked).toMatchObject({ held_cart_id: held.held_cart_id, ...free, cart_data: `by ${staffId}` });
    }

    const listed = (await list()).body.slice(0, 2);
    expect(listed).toMatchObject([
      { held_cart_id: younger.held_cart_id },
      { held_cart_id: held.held_cart_id, ...free },
    ]);
    expect(listed[1].created_at).toBe(held.created_at);
  });

  test('parked anew it can be taken once: of a post and eight recalls at once one register has it', async () => {
    const sent = aCart();
    const { held_cart_id: id } = (await hold(sent)).body;
    await recall(id, 5);
    const rivals = await atOnce(9, (n) => (n === 0 ? hold({ ...sent, staff_id: 5 }) : recall(id, n + 100)));
    const last = await atOnce(8, (n) => recall(id, n + 200));

    const winners = [...rivals.slice(1), ...last].filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(await findOne('pos_held_cart', { held_cart_id: id }, 'recalled_by_staff_id')).toEqual({
      recalled_by_staff_id: winners[0]!.body.recalled_by_staff_id,
    });
  });

  test('the terminal of the claim parks it anew, whoever works there now', async () => {
    const sent = aCart();
    const { held_cart_id: id } = (await hold(sent)).body;
    await call('POST', `/${id}/recall`, { staffId: 5, terminalId: 41 });
    expect((await hold({ ...sent, staff_id: 6, terminal_id: 40 })).body).toMatchObject({ recalled_by_staff_id: 5 });
    expect((await hold({ ...sent, staff_id: 6, terminal_id: 41 })).body).toMatchObject(free);
  });

  test('the terminal where somebody signed in last is the terminal of their claim', async () => {
    const { staffId, email: emailKey } = await aStaffMember(fork());
    const [before, now] = [await aTerminal(fork()), await aTerminal(fork())];
    for (const { terminalId } of [before, now]) await openSession(fork(), { staffId, emailKey, terminalId });
    const sent = aCart();
    const { held_cart_id: id } = (await hold(sent)).body;
    await recall(id, staffId);

    const by = ({ terminalId }: { terminalId: number }) => hold({ ...sent, terminal_id: terminalId });
    expect((await by(before)).body).toMatchObject({ recalled_by_staff_id: staffId });
    expect((await by(now)).body).toMatchObject(free);
  });

  test('a post that names nobody is told by its token', async () => {
    const sent = aCart();
    const { held_cart_id: id } = (await hold(sent)).body;
    await recall(id, 5);
    const token = await api.tokenFor('Vendor_Pos::locations');

    const late = await api.call('POST', '/V1/pos/held-carts', { token, body: { heldCart: sent } });
    expect(late.body).toMatchObject({ recalled_by_staff_id: 5 });

    expect((await hold({ ...sent, cart_data: 'v2' })).body).toMatchObject({ ...free, cart_data: 'v2' });
    expect((await recall(id, 6)).body).toMatchObject({ recalled_by_staff_id: 6, cart_data: 'v2' });
  });

  test('a post that began before the recall keeps the claim, even that of its own sender', async () => {
    const sent = aCart({ staff_id: 5 });
    const { held_cart_id: id } = (await hold(sent)).body;

    const late = await fork().transactional(async (em) => {
      await databaseNow(em);
      await recall(id, 5);
      return holdCart(em, {
        locationId: sent.location_id,
        cartUuid: sent.cart_uuid,
        cartData: '',
        staffId: 5,
        caller: '',
      });
    });

    expect(late.recalled_by_staff_id).toBe(5);
    await booksHold();
  });
});

describe('recall cart', () => {
  opensACartRack();

  const { findOne, fork, change, howMany, insert } = booksOf(() => api.orm);

  describe('recalling', () => {
    test('of 16 registers one wins; the others learn who has the cart and since when', async () => {
      for (let round = 0; round < 5; round++) {
        const { held_cart_id: id } = (await hold(aCart())).body;
        const staff = await atOnce(16, (n) => aStaffMember(fork(), { firstName: `F${n}`, lastName: 'Doe' }));
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
      const again = await atOnce(4, () => recall(id, 77_777));
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
      const claim = await findOne('pos_held_cart', { held_cart_id: id }, 'location_id', 'recalled_by_caller');
      const late = { ...claim, cart_uuid: randomUUID(), cart_data: '{}' };
      await insert('pos_held_cart', { ...late, recalled_at: minutesAgo(11), recalled_by_staff_id: 77_777 });
      const { held_cart_id: lateId } = await findOne('pos_held_cart', { cart_uuid: late.cart_uuid }, 'held_cart_id');
      expect(await recall(lateId, 77_777)).toMatchObject(taken);
    });

    test.each([
      ['of its parker, who sends it late', { staff_id: 3, terminal_id: 4 }],
      ['that names another person only', { staff_id: 3 }],
      ['that names another terminal only', { terminal_id: 4 }],
    ])('a post %s changes the data of a recalled cart and keeps its claim', async (_whose, parker) => {
      const sent = aCart(parker);
      const { held_cart_id: id } = (await hold(sent)).body;
      const taken = (await recall(id, 5)).body;

      const late = (await hold({ ...sent, item_count: 3 })).body;

      expect(late).toMatchObject({ item_count: 3, recalled_by_staff_id: 5, recalled_at: taken.recalled_at });
      expect((await recall(id, 6)).status).toBe(400);
    });

    test('posts and recalls at once never leave a cart that two have', async () => {
      const sent = aCart({ staff_id: 99_999 });
      const { held_cart_id: id } = (await hold(sent)).body;
      const answers = await atOnce(24, (n) => (n % 3 === 0 ? hold({ ...sent, item_count: n }) : recall(id, n)));
      expect(answers.filter(({ status }, n) => n % 3 !== 0 && status === 200)).toHaveLength(1);
      expect((await recall(id, 99)).status).toBe(400);
    });

    test('no statement frees a claimed cart that does not park it anew in the name of its claimant', async () => {
      const { held_cart_id: id } = (await hold(aCart({ staff_id: 5 }))).body;
      await recall(id, 5);
      const later = new Date(Date.now() + 60_000);
      const without = { recalled_at: null, recalled_by_staff_id: null, recalled_by_caller: null };
      const freed = [
        without,
        { ...without, staff_id: 6, parked_at: later },
        { recalled_by_staff_id: 6 },
        { recalled_at: later },
      ];
      for (const values of freed)
        await expect(change('pos_held_cart', { held_cart_id: id }, values)).rejects.toThrow(/is claimed/);
      expect(await howMany('pos_held_cart', { held_cart_id: id, recalled_by_staff_id: 5 })).toBe(1);
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
});
