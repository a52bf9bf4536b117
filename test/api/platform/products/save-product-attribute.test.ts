import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAttributes } from '../../../../db/platform/catalog/note-attributes.ts';
import { testApi, type TestApi } from '../../../support/api.ts';
import { aShop } from '../../../support/builders/shop.ts';
import { booksOf } from '../../../support/books.ts';
import { eightAtOnce } from '../../../support/rivals.ts';

let api: TestApi;
let token: string;
beforeAll(async () => {
  api = await testApi();
  await aShop(fork());
  token = await api.tokenFor('Magento_Catalog::attributes_attributes', 'Magento_Catalog::products');
});
afterAll(() => api.close());

const { fork, find } = booksOf(() => api.orm);

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  api.call(method, `/V1/products/attributes${path}`, { token, ...(body ? { body } : {}) });
const create = (attribute: object) => call('POST', '', { attribute });
const change = (code: string, attribute: object) => call('PUT', `/${code}`, { attribute });
const read = async (code: string) => (await call('GET', `/${code}`)).body;
const choice = (code: string, ...labels: string[]) => ({
  ...{ attribute_code: code, frontend_input: 'select', default_frontend_label: code },
  options: labels.map((label) => ({ label })),
});
const refused = (message: string) => ({ status: 400, body: { message } });

test('the inputs of attributes are listed', async () => {
  expect((await call('GET', '/types')).body).toContainEqual({ value: 'multiselect', label: 'Multiple Select' });
});

describe('who creates an attribute', () => {
  test('reads all of it back: labels, scope, settings and options in their order', async () => {
    const answer = await create({
      ...{ attribute_code: 'fabric', frontend_input: 'select', scope: 'website', is_required: true, is_unique: '0' },
      ...{ is_searchable: '1', is_filterable: true, is_used_for_promo_rules: '0', position: 7, apply_to: ['simple'] },
      frontend_labels: [
        { store_id: 0, label: 'Fabric' },
        { store_id: 1, label: 'Stoff' },
      ],
      options: [
        { label: ' ', value: '' },
        { label: 'Wool', value: '77', sort_order: 100, store_labels: [{ store_id: 1, label: 'Wolle' }] },
        { label: 'Linen', sort_order: 1, is_default: true },
      ],
      a_field_of_a_newer_version: 1,
    });
    expect(answer.status).toBe(200);
    const [blank, linen, wool] = answer.body.options;
    expect(answer.body).toMatchObject({
      ...{ attribute_code: 'fabric', default_frontend_label: 'Fabric', backend_type: 'int', scope: 'website' },
      ...{ is_required: true, is_user_defined: true, is_unique: '0', is_searchable: '1', is_filterable: true },
      ...{ is_used_for_promo_rules: '0', position: 7, apply_to: ['simple'], default_value: linen.value },
      frontend_labels: [{ store_id: 1, label: 'Stoff' }],
    });
    expect([blank.label, linen.label, wool.label]).toEqual([' ', 'Linen', 'Wolle']);
    expect(await read('fabric')).toEqual(answer.body);
    expect(await read(answer.body.attribute_id)).toEqual(answer.body);
    const whole = await api.call('GET', '/rest/all/V1/products/attributes/fabric/options', { token });
    expect(whole.body[2].label).toBe('Wool');
    const list = await call(
      'GET',
      '?searchCriteria[filter_groups][0][filters][0][field]=attribute_code&searchCriteria[filter_groups][0][filters][0][value]=fabric',
    );
    expect(list.body.items).toEqual([answer.body]);
  });

  test('makes one option of two with the same label', async () => {
    const { body } = await create(choice('twice', 'Up', 'UP', 'Down'));
    expect(body.options.map(({ label }: { label: string }) => label)).toEqual([' ', 'UP', 'Down']);
  });

  test('gets the code from the label', async () => {
    expect((await create({ default_frontend_label: 'Größe (EU)', frontend_input: 'text' })).body.attribute_code).toBe(
      'grosse_eu',
    );
    expect((await create({ default_frontend_label: '9 lives', frontend_input: 'text' })).body.attribute_code).toBe(
      'attr_9_lives',
    );
    expect((await create({ default_frontend_label: '颜', frontend_input: 'boolean' })).body).toMatchObject({
      attribute_code: 'attr_989c',
      options: [
        { label: 'Yes', value: '1' },
        { label: 'No', value: '0' },
      ],
    });
  });

  test.each([
    ['no label', { frontend_input: 'text' }, '"%fieldName" is required. Enter and try again.'],
    [
      'no label above all store views',
      { frontend_input: 'text', frontend_labels: [{ store_id: 1, label: 'x' }] },
      'Invalid value of "%value" provided for the %fieldName field.',
    ],
    ['a wrong code', choice('1st'), 'Invalid value of "%value" provided for the %fieldName field.'],
    ['a long code', choice('a'.repeat(61)), 'Invalid value of "%value" provided for the %fieldName field.'],
    [
      'an unknown input',
      { ...choice('odd'), frontend_input: 'hologram' },
      'Invalid value of "%value" provided for the %fieldName field.',
    ],
    [
      'no input',
      { attribute_code: 'odd', default_frontend_label: 'Odd' },
      'Invalid value of "%value" provided for the %fieldName field.',
    ],
    [
      'an unknown store view',
      { ...choice('odd'), frontend_labels: [{ store_id: 99, label: 'x' }] },
      'Invalid value of "%value" provided for the %fieldName field.',
    ],
    [
      'a reserved code',
      choice('position'),
      "The attribute code '%1' is reserved by system. Please try another attribute code",
    ],
    ['a code of the platform', choice('color'), '%1 already exists.'],
    [
      'an option without label',
      choice('odd', ''),
      'The attribute option label is empty. Enter the value and try again.',
    ],
  ])('is refused with %s, and nothing is kept', async (_why, attribute, message) => {
    expect(await create(attribute)).toMatchObject(refused(message));
    expect((await call('GET', '/odd')).status).toBe(404);
  });

  test('is refused the second time, and of eight at once one is carried out', async () => {
    const answers = await eightAtOnce(() => create(choice('race', 'A')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
    expect(await create(choice('race'))).toMatchObject({
      ...refused('%1 already exists.'),
      body: { parameters: ['Attribute with the same code'] },
    });
    expect((await read('race')).options).toHaveLength(2);
  });
});

describe('who changes an attribute', () => {
  test('keeps what is not sent, and a repeat changes nothing', async () => {
    const { body: first } = await create({ ...choice('sole', 'Rubber'), note: 'kept' });
    const sent = {
      ...{ attribute_id: first.attribute_id, frontend_input: 'text', is_required: true },
      frontend_labels: [{ store_id: 0, label: 'Sole' }],
      options: [
        { value: first.options[1].value, label: 'Gum' },
        { label: 'Leather', is_default: true },
      ],
    };
    const { body: once } = await change('sole', sent);
    expect(once).toMatchObject({ frontend_input: 'select', default_frontend_label: 'Sole', note: 'kept' });
    expect(once.options.map(({ label }: { label: string }) => label)).toEqual([' ', 'Gum', 'Leather']);
    expect(once.default_value).toBe(once.options[2].value);
    const answers = await eightAtOnce(() => change('sole', sent));
    expect(answers.map(({ body }) => body)).toEqual(Array.from({ length: 8 }, () => once));
    expect((await change('sole', once)).body).toEqual(once);
  });

  test('describes one that came with an import, and that nobody has named', async () => {
    await makeAttributes(api.orm.em.fork(), ['grip']);
    expect(await read('grip')).toMatchObject({ frontend_input: 'text', default_frontend_label: 'grip' });
    const { body } = await change('grip', { ...choice('grip', 'Firm'), default_frontend_label: 'Grip' });
    expect(body).toMatchObject({ frontend_input: 'select', default_frontend_label: 'Grip' });
    expect((await change('grip', { frontend_input: 'hologram' })).body.frontend_input).toBe('select');
  });

  test('changes only labels, options and settings of one of the platform', async () => {
    const { body } = await change('name', {
      ...{ default_frontend_label: 'Title', scope: 'global', is_required: false, is_searchable: '1' },
      frontend_labels: [{ store_id: 1, label: 'Titel' }],
    });
    expect(body).toMatchObject({ default_frontend_label: 'Title', scope: 'store', is_required: true });
    expect(body).toMatchObject({ is_searchable: '1', frontend_labels: [{ store_id: 1, label: 'Titel' }] });
  });

  test.each([
    [
      'an id of no option',
      { options: [{ value: '999999', label: 'x' }] },
      "The '%1' attribute doesn't include an option id '%2'.",
    ],
    [
      'an option without label',
      { options: [{ label: '' }] },
      'The attribute option label is empty. Enter the value and try again.',
    ],
    [
      'a label for an unknown store view',
      { frontend_labels: [{ store_id: 99, label: 'x' }] },
      'Invalid value of "%value" provided for the %fieldName field.',
    ],
  ])('is refused with %s', async (_why, attribute, message) => {
    await create(choice('shape', 'Round'));
    expect(await change('shape', attribute)).toMatchObject(refused(message));
    const [, round] = (await read('shape')).options;
    await call('POST', '/shape/options', { option: { label: 'Square' } });
    expect(await change('shape', { options: [{ value: round.value, label: 'SQUARE' }] })).toMatchObject(
      refused('Admin store attribute option label "%1" already exists.'),
    );
  });

  test('does not find one that is unknown', async () => {
    expect((await change('nothing', {})).status).toBe(404);
  });
});

describe('who deletes an attribute', () => {
  test('takes its options and its values along; of eight at once one has deleted it', async () => {
    const { body } = await create(choice('smell', 'Rose'));
    const custom_attributes = [{ attribute_code: 'smell', value: body.options[1].value }];
    await api.call('POST', '/V1/products', {
      token,
      body: { product: { sku: 'SOAP', name: 'Soap', price: 1, custom_attributes } },
    });
    const answers = await eightAtOnce(() => call('DELETE', '/smell'));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(7);
    const { body: soap } = await api.call('GET', '/V1/products/SOAP', { token });
    expect(soap.custom_attributes.map((one: { attribute_code: string }) => one.attribute_code)).not.toContain('smell');
    expect(await find('product_attribute_option', { label: 'Rose' }, 'option_id')).toEqual([]);
  });

  test('is refused for one of the platform, and for one by which a customer chooses', async () => {
    expect(await call('DELETE', '/color')).toMatchObject(refused("The system attribute can't be deleted."));
    const { body } = await create(choice('cut', 'Slim'));
    const option = {
      attribute_id: String(body.attribute_id),
      label: 'Cut',
      values: [{ value_index: Number(body.options[1].value) }],
    };
    await api.call('POST', '/V1/configurable-products/MUG/options', { token, body: { option } });
    expect(await call('DELETE', '/cut')).toMatchObject(refused('This attribute is used in configurable products.'));
  });
});
