import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { contentTypes, followRenewals } from '../../../api/content/content-type.ts';
import { booksOf } from '../../support/books.ts';
import { manyRecords } from '../../support/books/many-records.ts';
import { aShop } from '../../support/builders/shop.ts';
import { useApi } from '../../support/fixtures.ts';

describe('follow renewals', () => {
  const block = contentTypes.find(({ kind }) => kind === 'block')!;

  test('a change that is committed is answered as done, though the database went away since', async () => {
    const warn = jest.fn();
    const gone = {
      getKysely() {
        throw new Error('the connection broke');
      },
    };
    const around = { em: gone, workflows: {}, log: { warn } } as unknown as Parameters<typeof followRenewals>[1];
    await expect(followRenewals(block, around)).resolves.toBeUndefined();
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

describe('search content', () => {
  const api = useApi();
  const books = booksOf(() => api.orm);

  const call = (method: string, path: string, body?: unknown) =>
    api.call(method, path, { token: api.tokens.admin, ...(body === undefined ? {} : { body }) });

  beforeAll(async () => {
    await aShop(books.fork());
    const pages = [
      { identifier: 'about', title: 'About us', sort_order: '2' },
      { identifier: 'contact', title: 'Contact', active: false },
      { identifier: 'imprint', title: 'Imprint', sort_order: '10' },
    ];
    for (const page of pages) await call('POST', '/V1/cmsPage', { page });
    await call('POST', '/rest/ca/V1/cmsPage', { page: { identifier: 'about', title: 'About, eh' } });
    await call('POST', '/V1/cmsBlock', { block: { identifier: 'about', title: 'A block' } });
  });

  const found = async (field: string, value: string, type = 'eq', more = '') => {
    const filter = 'searchCriteria[filter_groups][0][filters][0]';
    const query = `${filter}[field]=${field}&${filter}[value]=${value}&${filter}[condition_type]=${type}${more}`;
    const { status, body } = await call('GET', `/V1/cmsPage/search?${query}`);
    return status === 200 ? body.items.map(({ title }: { title: string }) => title) : body;
  };

  test.each([
    ['identifier', 'ABOUT', 'eq', ['About us', 'About, eh']],
    ['is_active', '0', 'eq', ['Contact']],
    ['store_id', '2', 'eq', ['About, eh']],
    ['title', '%25eh', 'like', ['About, eh']],
    ['sort_order', '10', 'eq', ['Imprint']],
    ['published_version', '', 'null', ['About us', 'Contact', 'Imprint', 'About, eh']],
  ])('pages by %s %s %s', async (field, value, type, titles) => {
    expect(await found(field, value, type)).toEqual(titles);
  });

  test('the filter of `active` is called is_active', async () => {
    expect(await found('active', '1')).toMatchObject({ message: 'Invalid attribute name: %1', parameters: ['active'] });
  });

  test('sorted and in pages, with the total', async () => {
    const sorted = 'searchCriteria[sort_orders][0][field]=title&searchCriteria[sort_orders][0][direction]=DESC';
    const page = `${sorted}&searchCriteria[page_size]=2&searchCriteria[current_page]=2`;
    const { body } = await call('GET', `/V1/cmsPage/search?${page}`);
    expect(body.items.map(({ title }: { title: string }) => title)).toEqual(['About, eh', 'About us']);
    expect(body.total_count).toBe(4);
  });

  test('more than 300 at once, each with its whole text, are turned away', async () => {
    await books.insertAll(
      'content_item',
      manyRecords(300, (n) => ({
        ...{ kind: 'block', identifier: `many-${n}`, title: 'Many', content: 'x' },
        ...{ liveview: true, changed_by: 'ada' },
      })),
    );
    for (const more of ['searchCriteria', 'searchCriteria[page_size]=301'])
      expect(await call('GET', `/V1/cmsBlock/search?${more}`)).toMatchObject({
        status: 400,
        body: { message: 'Maximum SearchCriteria pageSize is %max', parameters: { max: 300 } },
      });
    const { body } = await call('GET', '/V1/cmsBlock/search?searchCriteria[page_size]=300');
    expect([body.items.length, body.total_count]).toEqual([300, 301]);
  });
});
