import { describe, expect, test } from '@jest/globals';
import type { Answer, TestApi } from './api.ts';
import { eightAtOnce } from './rivals.ts';

/** A kind of record that an administrator edits, and how it is sent. */
export interface CrudNoun {
  /** The path of its list, of one of them, of a new one, and of a change. */
  list: string;
  one: (id: number) => string;
  create: string;
  update?: (id: number) => string;
  /** The key of the body. */
  body: string;
  /** The key of its id, where it is answered, sent and searched. */
  id: string;
  /** A new one, never the same twice. */
  fresh: (made: number) => Record<string, unknown>;
  /** What changes of it; more is sent where a change needs all. */
  change: (made: number) => Record<string, unknown>;
  /** What a save answers where it is not the record. */
  idIn?: (answer: unknown) => number;
  /** What a deletion answers. */
  deleted?: unknown;
  /** What a create says besides the body's key. */
  beside?: object;
  /** The filter that its list needs. */
  within?: string;
  /** Takes fields of other versions of the platform, and leaves them out. */
  grows?: boolean;
  /** An answer to a create has a secret, so that it is not kept for a repeat. */
  isPrivate?: boolean;
  /** A text of it, and one that is too long for it. */
  tooLong: Readonly<Record<string, string>>;
}

/** Numbers of records: none of two tests of a file is the same. */
let made = 0;

const by = (field: string, value: unknown, group = 0) =>
  `searchCriteria[filter_groups][${group}][filters][0][field]=${field}` +
  `&searchCriteria[filter_groups][${group}][filters][0][value]=${String(value)}`;

/**
 * What every kind of record keeps that an administrator edits: read as saved, found, sorted and paged; a repeat, an
 * unknown id, a wrong one, a missing right and hostile bodies change nothing.
 */
export function describeCrud(name: string, noun: CrudNoun, api: TestApi): void {
  const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    api.call(method, path, { token: api.tokens.admin, headers, ...(body === undefined ? {} : { body }) });
  const list = (criteria = '') => send('GET', `${noun.list}?${[noun.within, criteria].filter(Boolean).join('&')}`);
  const count = async (): Promise<number> => (await list('searchCriteria[current_page]=1')).body.total_count;
  const sent = (record: unknown) => ({ [noun.body]: record, ...noun.beside });
  const idOf = (body: unknown) => noun.idIn?.(body) ?? Number(Object(body)[noun.id]);
  const create = async () => {
    const { status, body } = await send('POST', noun.create, sent(noun.fresh(++made)));
    expect({ status, body }).toMatchObject({ status: 200 });
    return idOf(body);
  };
  const change = (id: number, by = noun.change(made)) => {
    const path = noun.update?.(id) ?? noun.create;
    return send('PUT', path, { [noun.body]: { ...(path.endsWith(`/${id}`) ? {} : { [noun.id]: id }), ...by } });
  };
  const nothingIsKept = async (work: () => Promise<unknown>) => {
    const before = await count();
    await work();
    expect(await count()).toBe(before);
  };

  describe(`${name}`, () => {
    test('is read as it was saved, and found by its id', async () => {
      const id = await create();
      expect(await send('GET', noun.one(id))).toMatchObject({
        status: 200,
        body: { ...noun.fresh(made), [noun.id]: id },
      });
      expect((await list(by(noun.id, id, 1))).body).toMatchObject({
        items: [{ ...noun.fresh(made), [noun.id]: id }],
        total_count: 1,
      });
    });

    test('is listed by the page, the newest first where the list is asked so', async () => {
      const [first, second] = [await create(), await create()];
      const newestFirst = `searchCriteria[sortOrders][0][field]=${noun.id}&searchCriteria[sortOrders][0][direction]=DESC`;
      const page = async (number: number) =>
        (await list(`${newestFirst}&searchCriteria[pageSize]=1&searchCriteria[currentPage]=${number}`)).body;
      expect(await page(1)).toMatchObject({ items: [{ [noun.id]: second }], total_count: await count() });
      expect((await page(2)).items.map((row: object) => Reflect.get(row, noun.id))).toEqual([first]);
    });

    test('that is changed twice in the same way is changed once', async () => {
      const id = await create();
      expect((await change(id)).status).toBe(200);
      const once = (await send('GET', noun.one(id))).body;
      expect(once).toMatchObject(noun.change(made));
      const { updated_at: _first, ...answer } = Object((await change(id)).body);
      const { updated_at: _then, ...twice } = (await send('GET', noun.one(id))).body;
      expect({ ...once, updated_at: undefined }).toEqual({ ...twice, updated_at: undefined });
      if (!noun.idIn) expect(answer).toEqual(twice);
    });

    test('that is sent again under its key is made once', async () => {
      const before = await count();
      const again = () =>
        send('POST', noun.create, sent(noun.fresh(made)), {
          'idempotency-key': `${name} ${made}`.replaceAll(' ', '-'),
        });
      made++;
      const first = await again();
      const second = await again();
      expect(first.status).toBe(200);
      if (noun.isPrivate) expect(second.body.parameters).toEqual({ outcome: 'idempotency_answer_not_kept' });
      else expect({ status: second.status, body: second.body }).toEqual({ status: 200, body: first.body });
      if (!noun.isPrivate) expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(await count()).toBe(before + 1);
    });

    test('is deleted once, by one of eight; after that it is not there', async () => {
      const id = await create();
      const answers = await eightAtOnce(() => send('DELETE', noun.one(id)));
      const gone = answers.filter(({ status }) => status === 200);
      expect(gone.map(({ body }) => body)).toEqual([noun.deleted ?? true]);
      expect(answers.filter(({ status }) => status === 404)).toHaveLength(7);
      expect((await send('GET', noun.one(id))).status).toBe(404);
      expect((await change(id)).status).toBe(404);
    });

    test('that nobody knows, or whose id is none, is neither read nor deleted', async () => {
      await nothingIsKept(async () => {
        for (const method of ['GET', 'DELETE']) {
          expect((await send(method, noun.one(99_999_999))).status).toBe(404);
          expect((await send(method, noun.one(0).replace(/0$/, 'none'))).status).toBe(400);
        }
      });
    });

    test('of which nothing, or no record, or a text that is too long is sent is refused, and none is kept', async () => {
      await nothingIsKept(async () => {
        const hostile = [{}, 'record', [], null, 7, { ...noun.fresh(++made), ...noun.tooLong }];
        for (const record of hostile)
          expect([record, (await send('POST', noun.create, sent(record))).status]).toEqual([record, 400]);
        expect((await send('POST', noun.create, '{')).status).toBe(400);
      });
    });

    test('with a field that nobody knows is refused or kept without it', async () => {
      const before = await count();
      const { status, body } = await send('POST', noun.create, sent({ ...noun.fresh(++made), no_such_field: 'x' }));
      expect(status).toBe(noun.grows ? 200 : 400);
      expect(await count()).toBe(noun.grows ? before + 1 : before);
      if (noun.grows) expect((await send('GET', noun.one(idOf(body)))).body).not.toHaveProperty('no_such_field');
    });

    test('is not searched by what its answers do not show', async () => {
      for (const field of ['password_hash', 'activation_code', 'config_overrides', 'ctid']) {
        const { status, body } = await list(by(field, 'a', 1));
        expect({ status, message: body.message }).toEqual({ status: 400, message: 'Invalid attribute name: %1' });
      }
    });

    test('can be seen and changed by those alone who may', async () => {
      const id = await create();
      const body = sent(noun.fresh(++made));
      for (const token of [api.tokens.nothing, undefined])
        for (const [method, path] of [
          ['GET', noun.list],
          ['GET', noun.one(id)],
          ['DELETE', noun.one(id)],
          ['POST', noun.create],
        ] as const)
          expect(
            (await api.call(method, path, { ...(token ? { token } : {}), ...(method === 'POST' ? { body } : {}) }))
              .status,
          ).toBe(401);
      expect((await send('GET', noun.one(id))).status).toBe(200);
    });
  });
}
