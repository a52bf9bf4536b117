import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { z } from 'zod';
import { replayHeader } from '../../../api/http/within.ts';
import { route } from '../../../api/http/route.ts';
import { transact } from '../../../db/support/transact.ts';
import { testApi, type Answer, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';

/** A shop with one counter more: `/V1/notes` writes a line in two transactions and then does as it was told. */
export let api: TestApi;
/** What the route does between its writes and its answer. */
export const afterwards: { happens: () => Promise<unknown> } = { happens: async () => undefined };
let said = 0;

const noteRoute = (path: '/V1/notes' | '/V1/secret-notes') =>
  route({
    method: 'POST',
    path,
    acl: 'Vendor_Pos::locations',
    summary: 'Write a note',
    body: z.object({ text: z.string() }),
    response: z.object({ text: z.string(), said: z.int(), size: z.string() }),
    isPrivate: path === '/V1/secret-notes',
    async handle({ em, body }) {
      await transact(em, (tx) => tx.execute('insert into note (text) values (?)', [body.text]));
      await transact(em, (tx) => tx.execute('insert into note (text) values (?)', [`${body.text}, second`]));
      const size = await afterwards.happens();
      return { text: body.text, said: ++said, size: typeof size === 'string' ? size : '' };
    },
  });

/** A shop with one route that writes notes. */
export function opensTheNotes(): void {
  beforeAll(async () => {
    const { routes } = await import('../../../api/routes.ts');
    api = await testApi({
      routes: [...routes, noteRoute('/V1/notes'), noteRoute('/V1/secret-notes')],
      settings: { POS_SECRET_KEY: secretKey },
      expectsFaults: true,
    });
    await aShop(fork());
    await write('create table note (text text not null)');
  });
  afterEach(() => {
    afterwards.happens = async () => undefined;
  });
  afterAll(() => api.close());
}

const { memosOf, fork, write, find, howMany } = booksOf(() => api.orm);
export const keyed = (key: string, more: Record<string, string> = {}) => ({ 'idempotency-key': key, ...more });
export const post = (path: string, body: unknown, key: string, token = api.tokens.register) =>
  api.call('POST', path, { token, body, headers: keyed(key) });
export const note = (text: string, key: string, token?: string) => post('/V1/notes', { text }, key, token);
export const notes = (text: string) => howMany('note', { text });
export const memos = async (orderId: number) => (await memosOf(orderId)).length;
export const isReplay = ({ headers }: Answer) => headers.get(replayHeader) === 'true';
export const rowOf = async (text: string) => (await find('keyed_request')).find(({ answer }) => answer?.includes(text));
