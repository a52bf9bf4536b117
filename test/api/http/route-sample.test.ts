import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnyRoute } from '../../../api/http/route.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aRequestedReturn } from '../../support/builders/return.ts';
import { aShop } from '../../support/builders/shop.ts';
import { booksOf } from '../../support/books.ts';

const page = readFileSync('docs/extend/route.md', 'utf8');
const [statementCode = '', routeCode = ''] = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
const root = `${pathToFileURL(resolve('.')).href}/`;

let folder: string;
let api: TestApi;
const books = booksOf(() => api.orm);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'route-sample-'));
  writeFileSync(
    join(folder, 'statement.ts'),
    statementCode.replaceAll(`'../../`, `'${root}`).replaceAll(`'../`, `'${root}db/`),
  );
  const own = join(folder, 'statement.ts');
  writeFileSync(
    join(folder, 'route.ts'),
    routeCode
      .replace('../../db/returns/count-open-returns.ts', pathToFileURL(own).href)
      .replace(`'zod'`, `'${import.meta.resolve('zod')}'`)
      .replaceAll(`'../`, `'${root}api/`),
  );
  const sample: { countOpenReturnsRoute: AnyRoute } = await import(pathToFileURL(join(folder, 'route.ts')).href);
  api = await testApi({ routes: [sample.countOpenReturnsRoute] });
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

test('the sample of docs/extend/route.md counts the open returns of a location', async () => {
  const { locationId } = await aShop(books.fork());
  const [{ returnId: open }, { returnId: over }] = [await aRequestedReturn(api.orm), await aRequestedReturn(api.orm)];
  await books.change('sale_return', { return_id: [open, over] }, { location_id: locationId });
  await books.change('sale_return', { return_id: over }, { status: 'closed' });
  const ask = (id: number, token?: string) =>
    api.call('GET', `/V1/pos/locations/${id}/open-returns`, token === undefined ? {} : { token });

  expect(await ask(locationId, api.tokens.register)).toMatchObject({
    status: 200,
    body: { location_id: locationId, open: 1 },
  });
  expect(await ask(404, api.tokens.register)).toMatchObject({ body: { location_id: 404, open: 0 } });
  expect(await ask(locationId)).toMatchObject({ status: 401 });
});
