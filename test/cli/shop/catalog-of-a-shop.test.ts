import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { exportShop } from '../../../cli/shop-commands.ts';
import { aRole } from '../../support/builders/counter.ts';
import { seedDemoShop } from '../../../local/demo-shop/seed.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { commandContextOf } from '../support.ts';
import { fileWith, lanterns, type Lanterns } from './a-shop-file.ts';
import { inWords } from './in-words.ts';
import { firstId } from '../../support/first-id.ts';

describe('catalog of a shop', () => {
  const orm = useDatabase();
  beforeAll(() => apply(lanterns()));

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
    expect(await told({ attributeSets: [{ name: 'Clothes', groups: groups.slice(0, -1) }] })).toContain(
      '1 change made.',
    );
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
    expect(
      await told({ attributes: [{ code: 'tone', input: 'select', options, defaults: ['Blue', 'Red'] }] }),
    ).toContain('A product has one value of tone, and so one default.');
  });
});

describe('dry run', () => {
  const orm = useDatabase();

  const { fork, find } = booksOf(() => orm);
  const shop = () => commandContextOf(orm);
  const next = async () => (await aRole(fork(), { name: `Role ${Math.random()}`, permissions: '{}' })) as number;

  test('a dry run burns no ids: what is made after it is numbered as if it had never been', async () => {
    const role = await next();
    const trial = await applyShopFile(shop(), fileWith(lanterns()), { dryRun: true });
    expect(trial.text).toContain('would be made; nothing was changed');
    expect(await next()).toBe(role + 1);

    await applyShopFile(shop(), fileWith(lanterns()), { dryRun: true });
    await applyShopFile(shop(), fileWith(lanterns()), {});
    expect(await find('pos_location', {}, 'location_id')).toEqual([{ location_id: firstId }]);
    expect((await find('pos_terminal', {}, 'terminal_id')).map((row) => row['terminal_id'])).toEqual([
      firstId,
      firstId + 1,
    ]);
  });

  test('ids that somebody draws while a dry run is on its way stay theirs', async () => {
    const extra = lanterns();
    extra.roles = Array.from({ length: 20 }, (_, at) => ({ name: `Trial ${at}`, permissions: ['place_orders'] }));
    const drawn = await Promise.all([
      applyShopFile(shop(), fileWith(extra), { dryRun: true }).then(() => 0),
      ...Array.from({ length: 8 }, () => next()),
    ]);
    const own = drawn.filter((id) => id !== 0);

    expect(new Set(own).size).toBe(8);
    expect(own).not.toContain(await next());
  });
});

describe('refused shop', () => {
  const { find, findOne, insert } = booksOf(() => orm);

  const orm = useDatabase();
  beforeAll(async () => {
    await applyShopFile(commandContextOf(orm), fileWith(lanterns()), {});
    const view = await findOne('store_view', { code: 'ca' }, 'website_id', 'store_id');
    await insert('customer', { ...view, email: 'eve@example.com', group_id: 1, firstname: 'Eve', lastname: 'A' });
    await insert('inventory_source_item', { sku: 'MUG', source_code: 'cellar', quantity: 3 });
  });

  const refusal = async (file: unknown, options = {}) =>
    applyShopFile(commandContextOf(orm), fileWith(file), options).then(() => 'applied', inWords);

  const without: [string, (shop: Lanterns) => unknown, string][] = [
    [
      'a currency that the books are kept in',
      (shop) => void (shop.websites[0]!.baseCurrencyCode = 'EUR'),
      'This needs the currency of website base as it is: 2 store views, 1 customers, 1 locations, 1 stocks.',
    ],
    [
      'a store view with customers',
      (shop) => shop.websites[0]!.groups[0]!.views.pop(),
      'This needs store view ca as it is: 1 customers.',
    ],
    [
      'a source where goods lie',
      (shop) => {
        shop.sources.pop();
        shop.stocks[0]!.sources.pop();
        Object.assign(shop.locations[0]!, { damagedSource: null });
      },
      'This needs source cellar as it is: 1 products lie there.',
    ],
    [
      'the group of guests',
      (shop) => shop.customerGroups.shift(),
      'Customer group NOT LOGGED IN is that of guests and stays.',
    ],
    [
      'the group of new accounts',
      (shop) => shop.customerGroups.splice(1, 1),
      'Customer group General is that of new accounts and stays.',
    ],
    [
      'two groups with one code but for the case of its letters',
      (shop) => shop.customerGroups.push({ code: 'GENERAL', taxClassId: 3 }),
      'Customer Group already exists.',
    ],
    [
      'a location with terminals elsewhere in the file',
      (shop) => void (shop.locations[0]!.source = 'attic'),
      'Could not save the location: the source does not exist',
    ],
    [
      'two with one name',
      (shop) => shop.roles.push(shop.roles[0]!),
      'Two of them are called role Cashier; rename one first.',
    ],
  ];

  const standing = async () => [await find('website'), await find('store_view')];

  test.each(without)('nothing is left without %s', async (_what, change, sentence) => {
    const shop = lanterns();
    change(shop);
    const before = await standing();
    expect(await refusal(shop, { prune: true })).toBe(sentence);
    expect(await standing()).toEqual(before);
  });

  test('a file with faults says each with its line and changes nothing', async () => {
    const wrong = ['websites:', '  - code: base', '    baseCurrency: USD', '    groups: []', 'prices: []'].join('\n');
    const sentence = await refusal(wrong);
    expect(sentence).toContain('nothing was changed');
    expect(sentence).toContain('line 3: websites › 0 › baseCurrency: is no key of a shop file');
    expect(sentence).toContain('line 5: prices: is no key of a shop file');
    expect(sentence).toMatch(/line 2: websites › 0 › baseCurrencyCode: /);
  });

  test.each([
    ['no YAML', 'websites: [', /neither YAML nor JSON/],
    ['a list', '- websites', /line 1: the file/],
    ['a setting nobody reads', { settings: { default: { 'vendor_pos/general/enabeld': 1 } } }, /enabeld: is no key/],
    [
      'a secret',
      { settings: { default: { 'vendor_pos_terminal/provider_a/api_key': 'k' } } },
      /api_key: is no key of a shop file/,
    ],
    [
      'a setting that cannot be this',
      { settings: { default: { 'vendor_pos_terminal/layaway/expiry_days': 'soon' } } },
      /expiry_days takes a whole number of 0 or more, not "soon"/,
    ],
    [
      'a country that is none',
      { sources: [{ code: 'x', name: 'X', countryId: 'XX', postcode: '1' }] },
      /countryId: is no country of ISO 3166/,
    ],
    [
      'a language that nobody speaks',
      (({ websites }) => {
        Object.assign(websites[0]!.groups[0]!.views[1]!, { locale: 'xx_YY' });
        return { websites };
      })(lanterns()),
      /locale: is no locale: there is no such language or country/,
    ],
    [
      'a permission nobody has',
      { roles: [{ name: 'X', permissions: ['fly'] }] },
      /line 4: roles › 0 › permissions › 0/,
    ],
    [
      'a resource that no route asks for',
      { administrators: [{ username: 'eve', email: 'e@shop.example', resources: ['Vendor_Pos::locatoins'] }] },
      /resources › 0: is a resource that no route asks for; perhaps it is one of: Vendor_Pos::locations, /,
    ],
    ['null where a list belongs', { sources: null }, /sources/],
  ])('%s is refused', async (_what, file, sentence) => {
    expect(await refusal(file)).toMatch(sentence);
  });

  test('an empty file changes nothing', async () => {
    expect(await refusal('')).toBe('applied');
  });
});

describe('round trip', () => {
  const orm = useDatabase();
  beforeAll(() => seedDemoShop(orm, randomBytes(32).toString('base64')));

  test('the demo shop, exported and applied, has nothing to change and nothing to remove', async () => {
    const { text } = await exportShop(commandContextOf(orm));
    expect(text).not.toMatch(/demo-live-key|demo-api-token|passwordHash|activation/);
    const applied = await applyShopFile(commandContextOf(orm), fileWith(text), { prune: true });
    expect(applied.text).toBe('The shop is as the file says: nothing to change.');
  });
});
