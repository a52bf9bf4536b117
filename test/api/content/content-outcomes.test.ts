import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contentTypes, type ContentType } from '../../../api/content/content-type.ts';
import { unknownContent, unsavable } from '../../../api/content/content-outcomes.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { booksOf } from '../../support/books.ts';
import { aShop } from '../../support/builders/shop.ts';
import { expectRefused } from '../../support/expect-refused.ts';

const { fork, findOne } = booksOf(() => api.orm);

const nowhere = 999_999;

let api: TestApi;
let productId: number;
let names = 0;

beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  ({ entity_id: productId } = await findOne('product', { sku: 'MUG' }, 'entity_id'));
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

describe.each(contentTypes)('a $noun', (type: ContentType) => {
  const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    api.call(method, `${type.path}${path}`, {
      ...{ token: api.tokens.admin, headers },
      ...(body === undefined ? {} : { body }),
    });
  const owner = () =>
    type.ownerKey === undefined ? {} : { [type.ownerKey]: type.ownerKey === 'product_id' ? productId : 1 };
  const draft = (fields: object = {}) => ({
    [type.key]: { [type.identifierKey]: `text_${++names}`, title: 'A text', content: 'x', ...owner(), ...fields },
  });
  const made = async (fields: object = {}): Promise<number> => (await call('POST', '', draft(fields))).body.id;
  const [required, taken] = unsavable(type);

  test('that is not there is not found, whatever is asked of it', async () => {
    const { status, message: said } = unknownContent(type);
    const verbs: [method: string, path: string, body?: object][] = [
      ['GET', ''],
      ['PUT', '', draft()],
      ['DELETE', ''],
      ['GET', '/versions'],
      ['GET', '/versions/1'],
      ['POST', '/publish', {}],
      ['POST', '/unpublish', {}],
      ['POST', '/rollback', { version: 1 }],
    ];
    for (const [method, path, body] of verbs)
      await expectRefused({ send: () => call(method, `/${nowhere}${path}`, body), status, said });
    await expectRefused({ send: () => call('POST', '', draft({ id: nowhere })), status, said });
  });

  test('has only its own versions', async () => {
    const id = await made();
    const said = 'The version %1 does not exist.';
    await expectRefused({ send: () => call('GET', `/${id}/versions/9`), status: 404, said });
    await expectRefused({ send: () => call('POST', `/${id}/publish`, { version: 9 }), status: 404, said });
    await expectRefused({ send: () => call('POST', `/${id}/rollback`, { version: 9 }), status: 404, said });
  });

  test('that another editor has changed is refused with 409, or 412 by its header', async () => {
    const id = await made();
    await call('POST', `/${id}/publish`, {});
    await call('PUT', `/${id}`, draft({ title: 'By another' }));
    const stale = { extension_attributes: { revision: 1 } };
    const verbs: [method: string, path: string, body: object, old: object][] = [
      ['POST', '', draft({ id }), draft({ id, ...stale })],
      ['PUT', `/${id}`, draft(), draft(stale)],
      ['POST', `/${id}/publish`, {}, { revision: 1 }],
      ['POST', `/${id}/unpublish`, {}, { revision: 1 }],
      ['POST', `/${id}/rollback`, { version: 1 }, { version: 1, revision: 1 }],
    ];
    const said = 'content_changed';
    const seen = { 'if-match': '"1"' };
    for (const [method, path, body, old] of verbs) {
      await expectRefused({ send: () => call(method, path, old), status: 409, said });
      await expectRefused({ send: () => call(method, path, body, seen), status: 412, said });
    }
    await expectRefused({ send: () => call('DELETE', `/${id}`, undefined, seen), status: 412, said });
  });

  test('needs a name and a title', async () => {
    const { status = 0, message: said = '' } = required ?? {};
    await expectRefused({ send: () => call('POST', '', draft({ title: '' })), status, said });
    await expectRefused({ send: () => call('POST', '', draft({ [type.identifierKey]: '' })), status, said });
    const id = await made();
    await expectRefused({ send: () => call('PUT', `/${id}`, draft({ title: ' ' })), status, said });
  });

  test('has a name of its own in its store view', async () => {
    const { status = 0, message: said = '' } = taken ?? {};
    const [one, other] = [draft(), draft()];
    await call('POST', '', one);
    const { id } = (await call('POST', '', other)).body;
    await expectRefused({ send: () => call('POST', '', one), status, said });
    await expectRefused({ send: () => call('PUT', `/${id}`, one), status, said });
  });

  test('is of a product or category that exists', async () => {
    if (type.ownerKey === undefined) return;
    const said = 'No such entity with %fieldName = %fieldValue';
    await expectRefused({ send: () => call('POST', '', draft({ [type.ownerKey!]: nowhere })), status: 404, said });
  });
});
