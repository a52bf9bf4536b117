import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { parse } from 'yaml';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { exportShop } from '../../../cli/export-shop.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { commandContextOf } from '../support.ts';
import { fileWith, lanterns } from './a-shop-file.ts';
import { inWords } from './in-words.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await apply(lanterns());
});
afterAll(() => orm.close());

const { find, findOne, insert, remove } = booksOf(() => orm);
const apply = (file: unknown, options = {}) => applyShopFile(commandContextOf(orm), fileWith(file), options);
const told = (file: unknown, options = {}) => apply(file, options).then(({ text }) => text, inWords);
const exported = async () => (await exportShop(commandContextOf(orm))).text;
const unchanged = 'The shop is as the file says: nothing to change.';

/** A shop that sells clothes, as a file says it. */
const clothes = () => ({
  attributes: [
    {
      ...{ code: 'fabric', input: 'select', label: 'Fabric', labels: { ca: 'Cloth' }, isRequired: true },
      settings: { is_searchable: true, apply_to: ['simple'] },
      options: [{ label: 'Linen', labels: { ca: 'Flax' } }, { label: 'Wool' }],
      defaults: ['Wool'],
    },
    { code: 'ean', isUnique: true },
    { code: 'color', options: [{ label: 'Red' }] },
  ],
  attributeSets: [{ name: 'Clothes', sortOrder: 20 }],
});
const groupsOf = async (set: string) =>
  parse(await exported()).attributeSets.find(({ name }: { name: string }) => name === set).groups;

test('a file makes attributes with options, and sets; a trial makes none, and a repeat changes nothing', async () => {
  const trial = await told(clothes(), { dryRun: true });
  expect(trial).toContain('+ attribute fabric: input "select", label "Fabric"');
  expect(trial).toContain('4 changes would be made; nothing was changed.');
  expect(await find('product_attribute', {}, 'label')).toEqual([]);

  expect(await told(clothes())).toContain('4 changes made.');
  expect(await told(clothes())).toContain(unchanged);
  const wool = await findOne('product_attribute_option', { label: 'Wool' }, 'option_id', 'sort_order');
  expect(await findOne('product_attribute', { attribute_code: 'fabric' }, 'settings', 'is_required')).toEqual({
    settings: { is_searchable: true, apply_to: ['simple'], default_value: String(wool.option_id) },
    is_required: true,
  });
  expect(await findOne('attribute_set', { attribute_set_name: 'Clothes' }, 'sort_order')).toEqual({ sort_order: 20 });
  expect(await groupsOf('Clothes')).toEqual(await groupsOf('Default'));
});

test('what is exported is applied without a change, and with nothing to remove', async () => {
  expect(await told(await exported(), { prune: true })).toBe(unchanged);
  expect(parse(await exported()).attributes[0]).toEqual({
    ...{ code: 'fabric', input: 'select', scope: 'global', isRequired: true, isUnique: false, label: 'Fabric' },
    ...{ labels: { ca: 'Cloth' }, settings: { is_searchable: true, apply_to: ['simple'] }, defaults: ['Wool'] },
    options: [
      { label: 'Linen', labels: { ca: 'Flax' } },
      { label: 'Wool', labels: {} },
    ],
  });
});

test('groups and their attributes are those of the file', async () => {
  const groups = [
    ...(await groupsOf('Default')).map(({ attributes, ...group }: { attributes: string[] }) => ({
      ...group,
      attributes: attributes.filter((code) => code !== 'manufacturer'),
    })),
    { name: 'Feel', sortOrder: 90, attributes: ['fabric'] },
  ];
  const file = { attributeSets: [{ name: 'Clothes', groups }] };
  expect(await told(file)).toContain('~ attribute set Clothes: groups');
  expect(await told(file)).toContain(unchanged);
  const last = (await groupsOf('Clothes')).at(-1);
  expect(last).toEqual({ code: 'feel', name: 'Feel', sortOrder: 90, attributes: ['fabric'] });
  expect(await told({ attributeSets: [{ name: 'Clothes', groups: groups.slice(0, -1) }] })).toContain('1 change made.');
  expect((await groupsOf('Clothes')).length).toBe(groups.length - 1);
});

test('options change, move and go as long as no product has them', async () => {
  const file = clothes();
  file.attributes[0]!.options = [{ label: 'Silk' }, { label: 'Wool' }] as never;
  expect(await told(file)).toContain('1 change made.');
  expect(await told(file)).toContain(unchanged);
  expect(await find('product_attribute_option', { label: 'Linen' }, 'label')).toEqual([]);
  expect(await told(clothes())).toContain('1 change made.');
});

test('eight at once make one set', async () => {
  const file = { attributeSets: [{ name: 'Hats' }] };
  const answers = await eightAtOnce(() => told(file));
  expect(answers.filter((text) => text.includes('+ attribute set Hats'))).toHaveLength(1);
  expect(await told({ attributeSets: [{ name: 'Clothes' }] }, { prune: true })).toContain('- attribute set Hats');
});

test('nothing that products have is removed, or turned into something else', async () => {
  const { attribute_set_id: setId } = await findOne('attribute_set', { attribute_set_name: 'Clothes' });
  const { option_id: wool } = await findOne('product_attribute_option', { label: 'Wool' });
  await insert('product', {
    ...{ sku: 'COAT', name: 'Coat', price: 1, attribute_set_id: setId, updated_at: 'now', created_at: 'now' },
    ...{ custom_attributes: JSON.stringify({ fabric: String(wool), ean: '1' }), website_ids: '{1}' },
  });
  const file = clothes();
  const [fabric, , color] = file.attributes;
  expect(await told({ attributes: [fabric, color] }, { prune: true })).toBe(
    'This needs attribute ean as it is: 1 products.',
  );
  expect(await told({ attributes: [{ code: 'fabric', options: [{ label: 'Linen' }] }] })).toBe(
    'This needs option Wool of fabric as it is: 1 products.',
  );
  expect(await told({ attributeSets: [] }, { prune: true })).toBe(
    'This needs attribute set Clothes as it is: 1 products.',
  );
  expect(await told({ attributes: [{ code: 'fabric', input: 'text' }] })).toBe(
    'Attribute fabric is entered as select, and stays so.',
  );
  await remove('product');
});

test.each([
  [{ attributes: [{ code: 'fabric', labels: { mars: 'X' } }] }, 'Attribute fabric: no store view has the code mars.'],
  [{ attributes: [{ code: 'fabric', defaults: ['Fur'] }] }, 'Attribute fabric has no option Fur.'],
  [
    { attributeSets: [{ name: 'Clothes', groups: [{ name: 'A', attributes: ['sku', 'sku'] }] }] },
    'Attribute set Clothes names sku twice.',
  ],
  [
    { attributeSets: [{ name: 'Bags', groups: [{ name: 'A', attributes: ['nothing'] }] }] },
    /^Attribute set Bags needs status, name, sku/,
  ],
])('%j is refused, and nothing is changed', async (file, words) => {
  const before = await exported();
  expect(await told(file)).toMatch(words);
  expect(await exported()).toBe(before);
});

test('attributes that products do not have go, and those of the platform stay', async () => {
  const made = await told({ attributes: [], attributeSets: [] }, { prune: true });
  expect(made).toContain('- attribute fabric');
  expect(made).not.toContain('attribute color');
  expect(await told({ attributes: [], attributeSets: [] }, { prune: true })).toBe(unchanged);
});

test('what the platform says of its own attributes is refused, also in a trial', async () => {
  const said = { code: 'name', input: 'text', scope: 'global', isRequired: false, isUnique: true };
  for (const [field, value] of Object.entries(said).slice(1)) {
    const refusal = await told({ attributes: [{ code: 'name', [field]: value }] }, { dryRun: true });
    expect(refusal).toContain(`is the platform’s to say of name: leave it out`);
  }
});

test('several defaults keep the order of the file, and a choice of one has one', async () => {
  const options = [{ label: 'Red' }, { label: 'Blue' }];
  const tones = { attributes: [{ code: 'tones', input: 'multiselect', options, defaults: ['Blue', 'Red'] }] };
  expect(await told(tones)).toContain('1 change made.');
  expect(await told(tones)).toContain(unchanged);
  expect(await told({ attributes: [{ code: 'tone', input: 'select', options, defaults: ['Blue', 'Red'] }] })).toContain(
    'A product has one value of tone, and so one default.',
  );
});
