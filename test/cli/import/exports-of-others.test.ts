import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { applyShopFile } from '../../../cli/apply-shop.ts';
import { importCsv } from '../../../cli/import-csv.ts';
import { openRows, type ImportOptions, type ReadRow } from '../../../cli/import/read-rows.ts';
import { createProductAttribute } from '../../../db/platform/catalog/attribute-sets.ts';
import { createCategory } from '../../../db/platform/categories/categories.ts';
import { readSalability } from '../../../db/platform/inventory/source-items.ts';
import { booksOf } from '../../support/books.ts';
import { fileWith, lanterns } from '../shop/a-shop-file.ts';
import { commandContextOf } from '../support.ts';
import { useDatabase } from '../../support/fixtures.ts';

describe('exports of others', () => {
  const orm = useDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'pos-exports-'));
  let lamps: string;
  beforeAll(async () => {
    await applyShopFile(commandContextOf(orm), fileWith(lanterns()), {});
    lamps = String(await createCategory(fork(), { parentId: 2, wish: { name: 'Lamps' } }));
    await insert('tax_class', { class_name: 'Reduced rate', class_type: 'PRODUCT' });
    const own = { settings: {} };
    for (const code of ['barcode', 'slogan'])
      await createProductAttribute(fork(), { ...own, attributeCode: code, label: code, frontendInput: 'text' });
    for (const [code, input, labels] of [
      ['fabric', 'select', ['Linen', 'Wool']],
      ['colours', 'multiselect', ['Red', 'Blue']],
      ['washable', 'boolean', []],
    ] as const) {
      const options = labels.map((label) => ({ label }));
      await createProductAttribute(fork(), { ...own, attributeCode: code, label: code, frontendInput: input, options });
    }
  });

  const { fork, find, findOne, insert } = booksOf(() => orm);

  /** As it came: the import writes beside it. */
  function exported(name: string): string {
    const file = join(folder, name);
    copyFileSync(new URL(`exports/${name}`, import.meta.url), file);
    return file;
  }
  const take = (what: string, name: string, options: ImportOptions) =>
    importCsv(commandContextOf(orm), what, exported(name), () => undefined, options);
  const refusals = (name: string) =>
    readFileSync(join(folder, `${name}.refused.csv`), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.slice(0, 100));
  const left = ({ json }: Awaited<ReturnType<typeof take>>) =>
    (json as { left_out: { what: string; rows: number; first_row: number }[] }).left_out;
  const product = (sku: string) => findOne('product', { sku });
  const optionId = async (label: string) =>
    String((await findOne('product_attribute_option', { label }, 'option_id'))['option_id']);

  test('goods of the platform come in as its export has them, with what was left out', async () => {
    const options = { from: 'platform', source: 'high_street' } as const;
    const answer = await take('products', 'platform-products.csv', options);
    expect(answer.json).toMatchObject({ rows: 4, saved: 3, refused: 0 });
    const joust = await product('24-MB01');
    expect(joust).toMatchObject({
      ...{ name: 'Duffle "Joust"', price: '34.0000', weight: '1.5000', status: 1, visibility: 4, tax_class_id: 2 },
      category_ids: [lamps],
    });
    expect(joust['custom_attributes']).toEqual({
      ...{ description: '<p>Grab it, \nand go.</p>', url_key: 'joust', meta_keyword: 'bag, sport' },
      ...{ special_price: '29.000000', special_from_date: '2026-11-01 00:00:00' },
      special_to_date: '2030-12-31 00:00:00',
      ...{ country_of_manufacture: 'DE', gift_message_available: '2', slogan: 'Light, strong, yours' },
      ...{ fabric: await optionId('Linen'), washable: '1' },
      colours: `${await optionId('Red')},${await optionId('Blue')}`,
    });
    expect(Object.values(joust['scoped_values'] as object)).toEqual([
      { name: 'Sac Joust', customAttributes: { description: '<p>Prenez-le.</p>' } },
      { customAttributes: { special_price: '28.000000' } },
    ]);
    expect(await product('24-MB02')).toMatchObject({
      ...{ name: 'Fusion, rare', status: 2, visibility: 1, tax_class_id: 0, manage_stock: false, backorders: 1 },
    });
    expect(await find('inventory_source_item', {}, 'sku', 'source_code', 'quantity')).toEqual([
      { sku: '24-MB01', source_code: 'high_street', quantity: '100.0000' },
      { sku: '24-MB02', source_code: 'high_street', quantity: '0.0000' },
    ]);
    expect(left(answer)).toEqual(
      expect.arrayContaining([
        { what: 'base_image: pictures are sent by POST /V1/products/:sku/media', rows: 1, first_row: 1 },
        { what: 'categories: the shop does not have all of them', rows: 1, first_row: 1 },
        {
          what: 'additional_attributes, activity: the shop has no such attribute; --new-attributes makes it',
          ...{ rows: 1, first_row: 1 },
        },
        { what: 'custom_options: options of a product are sent by POST /V1/products/options', rows: 1, first_row: 3 },
        {
          what: 'rows of configurable products: what they are made of is not imported, its parts are rows of their own',
          ...{ rows: 1, first_row: 4 },
        },
      ]),
    );
    expect((await take('products', 'platform-products.csv', options)).json).toEqual(answer.json);
    expect({ ...(await product('24-MB01')), updated_at: '' }).toEqual({ ...joust, updated_at: '' });
  });

  test('stock of the platform goes to its sources', async () => {
    expect((await take('stock', 'platform-stock.csv', { from: 'platform' })).json).toMatchObject({
      saved: 1,
      refused: 1,
    });
    expect(refusals('platform-stock.csv')).toEqual(['2,No source has the code attic.,attic,24-MB01,1,1']);
    expect(await findOne('inventory_source_item', { source_code: 'cellar' }, 'quantity')).toEqual({
      quantity: '12.5000',
    });
  });

  test('variants of Shopify are goods of their own, under the title of their product', async () => {
    const answer = await take('products', 'shopify-products.csv', { from: 'shopify', source: 'cellar' });
    expect(answer.text).toContain('6 rows: 3 saved, 1 refused, 2 left out.');
    expect(await product('HOOD-S')).toMatchObject({
      ...{ name: 'Logo Hoodie - S / Red', price: '50.0000', weight: '1.1023', status: 1, type_id: 'simple' },
      custom_attributes: {
        ...{ description: '<p>Warm,\nsoft</p>', meta_title: 'A warm hoodie', cost: '20.00', barcode: '2000000001326' },
      },
    });
    expect(await product('HOOD-M')).toMatchObject({ name: 'Logo Hoodie - M / Red', price: '54.0000' });
    expect(await product('REPAIR')).toMatchObject({
      ...{ name: 'Repair', status: 2, visibility: 1, type_id: 'virtual', tax_class_id: 0 },
    });
    expect(refusals('shopify-products.csv')).toEqual([
      expect.stringMatching(/^5,"The ""SKU"" attribute value is empty/),
    ]);
    expect(await findOne('inventory_source_item', { sku: 'HOOD-S' }, 'quantity')).toEqual({ quantity: '7.0000' });
    expect(left(answer).map(({ what, rows }) => [what, rows])).toEqual(
      expect.arrayContaining([
        ['rows with a picture only', 1],
        ['gift cards: pos giftcard create issues them', 1],
        ['variant compare at price: the price is the one it is sold at', 1],
        ['vendor: the column has no meaning here', 1],
      ]),
    );
  });

  test('goods of WooCommerce come in with their sale and their taxes; parents of variations are left out', async () => {
    const answer = await take('products', 'woocommerce-products.csv', { from: 'woocommerce' });
    expect(answer.json).toMatchObject({ rows: 6, saved: 3, refused: 1 });
    expect(await product('woo-beanie')).toMatchObject({
      ...{ name: 'Beanie, blue', price: '20.0000', weight: '0.4409', tax_class_id: 2, category_ids: [lamps] },
      custom_attributes: {
        ...{ short_description: 'A beanie.', description: 'Warm\nand blue', barcode: '4006381333931' },
        ...{ special_price: '18', special_from_date: '2026-11-01 00:00:00', special_to_date: '2030-12-31 23:59:59' },
      },
    });
    const reduced = await findOne('tax_class', { class_name: 'Reduced rate' }, 'class_id');
    expect(await product('woo-vneck-red')).toMatchObject({ price: '21.5000', tax_class_id: reduced['class_id'] });
    expect(await product('woo-album')).toMatchObject({
      ...{ status: 2, visibility: 1, type_id: 'virtual', tax_class_id: 0 },
    });
    expect(refusals('woocommerce-products.csv')).toEqual([
      expect.stringContaining('6,No tax class of goods is called zero zone.'),
    ]);
    expect(left(answer).map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        'rows of variable products: only what is sold by itself is imported',
        'rows of external products: only what is sold by itself is imported',
        'qty: say where the goods lie (--source), or use import stock',
        'images: pictures are sent by POST /V1/products/:sku/media',
      ]),
    );
  });

  test('items of Square come in by variation; a variable price is refused', async () => {
    const answer = await take('products', 'square-items.csv', { from: 'square', source: 'high_street' });
    expect(answer.json).toMatchObject({ rows: 3, saved: 2, refused: 1 });
    expect(await product('CANDLE')).toMatchObject({
      ...{ name: 'Candle', price: '12.0000', weight: '0.7500', tax_class_id: 2, status: 1 },
      custom_attributes: { description: 'Soy wax', barcode: '2000000001340', cost: '4.50' },
    });
    expect(await product('TEA-L')).toMatchObject({ name: 'Tea - Large', tax_class_id: 0, status: 2 });
    expect(refusals('square-items.csv')).toEqual([expect.stringContaining('3,"price cannot be ""variable""."')]);
    expect(await findOne('inventory_source_item', { sku: 'CANDLE' }, 'quantity')).toEqual({ quantity: '10.0000' });
  });

  test('an export of another system, or of another kind, is refused before anything is saved', async () => {
    await expect(take('products', 'square-items.csv', { from: 'shopify' })).rejects.toMatchObject({
      message: 'This is no export of %1: it has no column %2.',
    });
    await expect(take('stock', 'platform-stock.csv', { from: 'square' })).rejects.toMatchObject({ status: 400 });
    await expect(take('products', 'square-items.csv', { from: 'square', source: 'attic' })).rejects.toMatchObject({
      message: 'No source has the code %1.',
    });
  });
});

describe('rows that depend on other rows', () => {
  const orm = useDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'pos-relations-'));
  beforeAll(async () => {
    await applyShopFile(commandContextOf(orm), fileWith(lanterns()), {});
    await createCategory(fork(), { parentId: 2, wish: { name: 'Shirts' } });
  });

  const { fork, find, findOne } = booksOf(() => orm);
  let files = 0;
  const take = async (what: string, lines: readonly string[], options: ImportOptions = {}) => {
    const file = join(folder, `${++files}.csv`);
    writeFileSync(file, lines.join('\n'));
    const { json, text, isFine } = await importCsv(commandContextOf(orm), what, file, () => undefined, options);
    const refused = existsSync(`${file}.refused.csv`) ? readFileSync(`${file}.refused.csv`, 'utf8') : '';
    const reasons = refused
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.replaceAll('""', '"'));
    const { left_out: left, ...counts } = json as { left_out: { what: string; rows: number; first_row: number }[] };
    return { counts, text, isFine, reasons, left: left.map(({ what, rows }) => [what, rows] as const) };
  };
  const product = (sku: string) => findOne('product', { sku });
  const lying = (sku: string) => find('inventory_source_item', { sku }, 'quantity', 'status');
  async function isSalable(sku: string): Promise<boolean> {
    const { stock_id: stockId } = await findOne('inventory_stock_source', { source_code: 'cellar' });
    const [one] = await readSalability(fork(), { skus: [sku], stockId: Number(stockId) });
    return one?.isSalable ?? false;
  }
  const contradicting = (one: number, other: number) =>
    `Rows ${one} and ${other} are different and name the same record. Correct or remove one of them.`;

  const shopify =
    'Handle,Title,Body (HTML),Status,Published,Gift Card,Option1 Value,Variant SKU,Variant Inventory Tracker,' +
    'Variant Inventory Qty,Variant Inventory Policy,Variant Price';

  test('variants of a sorted Shopify file get the title, the texts and the status of their product', async () => {
    const { counts, reasons, left } = await take(
      'products',
      [
        shopify,
        'cap,,,,,,Large,CAP-L,shopify,2,deny,12',
        'cap,,,,,,Small,CAP-S,shopify,-3,continue,10',
        'cap,Cap,Warm,draft,true,false,Medium,CAP-M,,0,deny,11',
        'gift,,,,,,$10,GIFT-10,,0,deny,10',
        'gift,Voucher,,active,true,true,$20,GIFT-20,,0,deny,20',
        'lost,,,,,,Only,LOST-1,shopify,1,deny,5',
      ],
      { from: 'shopify', source: 'cellar' },
    );
    expect(counts).toMatchObject({ rows: 6, saved: 3, refused: 1 });
    expect(await product('CAP-L')).toMatchObject({
      ...{ name: 'Cap - Large', status: 2, custom_attributes: { description: 'Warm' } },
    });
    expect(await lying('CAP-L')).toEqual([{ quantity: '2.0000', status: 1 }]);
    expect(await product('CAP-S')).toMatchObject({ name: 'Cap - Small', status: 2, backorders: 1 });
    expect(await lying('CAP-S')).toEqual([{ quantity: '0.0000', status: 1 }]);
    expect(await product('CAP-M')).toMatchObject({ name: 'Cap - Medium', manage_stock: false });
    expect(await find('product', { sku: 'GIFT-10' })).toEqual([]);
    expect(reasons).toEqual([
      expect.stringContaining('6,"The row with the title of the product "lost" is not in the file."'),
    ]);
    expect(left).toEqual([
      ['qty: it is below zero there and imported as 0', 1],
      ['gift cards: pos giftcard create issues them', 2],
    ]);
  });

  test('goods that Shopify does not count can be sold, and those that it counts only while they lie there', async () => {
    const rows = [
      shopify,
      'tea,Tea,,active,true,false,,TEA-1,,0,deny,4',
      'pot,Pot,,active,true,false,,POT-1,shopify,0,deny,4',
    ];
    for (let run = 0; run < 2; run++) await take('products', rows, { from: 'shopify', source: 'cellar' });
    expect(await lying('TEA-1')).toEqual([]);
    expect([await isSalable('TEA-1'), await isSalable('POT-1')]).toEqual([true, false]);
  });

  const woo =
    'ID,Type,SKU,Name,Published,Visibility in catalog,Tax status,Tax class,In stock?,Stock,Backorders allowed?,' +
    'Weight (kg),Regular price,Categories,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 2 value(s)';

  test('variations of WooCommerce have what their product has, whichever row comes first', async () => {
    const { counts, reasons, left } = await take(
      'products',
      [
        woo,
        '11,variation,SH-R,Shirt,1,visible,taxable,parent,1,4,0,,10,,SH,Colour,Red,Large',
        '12,variation,SH-G,Shirt - Green,1,visible,taxable,parent,1,-2,1,0.3,11,,SH,Colour,Green,',
        '10,variable,SH,Shirt,1,visible,none,,1,,0,0.2,,Default Category > Shirts,,Colour,"Red, Green",',
        '21,variation,DR-1,,1,visible,taxable,,1,,0,,10,,id:20,Size,S,',
        '20,variable,DR,Draft,-1,visible,taxable,,1,,0,,,,,Size,S,',
        '30,variable,ONE,One,1,visible,taxable,,1,7,0,,,,,Size,S,',
        '31,variation,ONE-S,One,1,visible,taxable,,1,parent,0,,10,,ONE,Size,S,',
        '40,variable,TWO,Two,1,visible,taxable,,1,9,0,,,,,Size,"S, M",',
        '41,variation,TWO-S,Two - S,1,visible,taxable,,1,parent,0,,10,,TWO,Size,S,',
        '42,variation,TWO-M,Two - M,1,visible,taxable,,1,parent,0,,10,,TWO,Size,M,',
        '50,simple,OUT,Sold out,1,visible,taxable,,0,,0,,10,,,,,',
        '60,variation,ORPHAN,Orphan,1,visible,taxable,,1,,0,,10,,GHOST,Size,S,',
        '70,pw-gift-card,GC,Gift card,1,visible,none,,1,,0,,,,,Amount,$10,',
        '71,variation,GC-10,Gift card - $10,1,visible,none,,1,,0,,10,,GC,Amount,$10,',
        '80,simple,NOT-SAID,Not said,,visible,taxable,,1,,0,,10,,,,,',
      ],
      { from: 'woocommerce', source: 'cellar' },
    );
    expect(counts).toMatchObject({ rows: 15, saved: 8, refused: 1 });
    expect(await product('SH-R')).toMatchObject({
      ...{ name: 'Shirt - Red, Large', status: 1, weight: '0.4409', tax_class_id: 0 },
      category_ids: [expect.any(String)],
    });
    expect(await product('SH-G')).toMatchObject({ name: 'Shirt - Green', weight: '0.6614', backorders: 1 });
    expect(await lying('SH-G')).toEqual([{ quantity: '0.0000', status: 1 }]);
    expect(await product('DR-1')).toMatchObject({ name: 'Draft - S', status: 2 });
    expect(await product('NOT-SAID')).toMatchObject({ status: 2 });
    expect(await product('ONE-S')).toMatchObject({ name: 'One - S' });
    expect(await lying('ONE-S')).toEqual([{ quantity: '7.0000', status: 1 }]);
    const salable = await Promise.all(['SH-R', 'ONE-S', 'TWO-S', 'TWO-M', 'OUT'].map((sku) => isSalable(sku)));
    expect(salable).toEqual([true, true, true, true, false]);
    expect(reasons).toEqual([
      expect.stringContaining('12,The product that this variation belongs to is not in the file.'),
    ]);
    expect(left).toEqual(
      expect.arrayContaining([
        ['rows of variable products: only what is sold by itself is imported', 4],
        ['gift cards: pos giftcard create issues them', 2],
        ['qty: it is below zero there and imported as 0', 1],
        [expect.stringContaining('stock: variations share the quantity of their product'), 2],
      ]),
    );
  });

  const square =
    'Item Name,Variation Name,SKU,Item Type,Price,Archived,Sellable,Current Quantity Main St,Tax - Sales Tax (8%)';

  test('two variations of Square with one SKU are both refused; gift cards are left out', async () => {
    const rows = [
      square,
      'Cup,Small,SQ-2,Physical good,4.50,N,,-2,Y',
      'Cup,Large,sq-2,Physical good,6.50,N,,7,Y',
      'Beans,Regular,SQ-3,Physical good,12,N,,,N',
      'Beans,Regular,SQ-3,Physical good,12,N,,,N',
      'Voucher,Regular,SQ-4,Gift card,50,N,,,N',
    ];
    for (let run = 0; run < 2; run++) {
      const { counts, reasons, left } = await take('products', rows, { from: 'square', source: 'cellar' });
      expect(counts).toMatchObject({ rows: 5, saved: 2, refused: 2 });
      expect(reasons.map((line) => line.slice(0, contradicting(1, 2).length + 2))).toEqual([
        `1,${contradicting(1, 2)}`,
        `2,${contradicting(1, 2)}`,
      ]);
      expect(left).toContainEqual(['gift cards: pos giftcard create issues them', 1]);
    }
    expect(await find('product', { sku: 'SQ-2' })).toEqual([]);
    expect(await isSalable('SQ-3')).toBe(true);
  });

  test('in a file of one’s own two names for one SKU are refused, and a row of a store view may come first', async () => {
    const { counts, reasons } = await take('products', [
      'sku,store_view,name,price',
      'VW,ca,Sangle,',
      'A1,,Axe,3',
      'a1,,Anvil,4',
      'VW,,Strap,14',
      'A2,,Awl,3',
      'A2,,,4',
    ]);
    expect(counts).toMatchObject({ rows: 6, saved: 4, refused: 2 });
    expect(reasons).toEqual([
      expect.stringContaining(`2,${contradicting(2, 3)}`),
      expect.stringContaining(`3,${contradicting(2, 3)}`),
    ]);
    const { store_id: view } = await findOne('store_view', { code: 'ca' }, 'store_id');
    expect(await product('VW')).toMatchObject({
      ...{ name: 'Strap', scoped_values: { [`s${String(view)}`]: { name: 'Sangle' } } },
    });
    expect(await product('A2')).toMatchObject({ price: '4.0000' });
  });

  test('two counts of one good at one source, and two people with one e-mail, are refused', async () => {
    await take('products', ['sku,name,price', 'CNT,Counted,3']);
    const counted = await take('stock', [
      'sku,source,quantity',
      'CNT,cellar,3',
      'CNT,cellar,5',
      'CNT,high_street,2',
      'CNT,high_street,2',
    ]);
    expect(counted.counts).toMatchObject({ saved: 2, refused: 2 });
    const people = await take(
      'customers',
      [
        'First Name,Last Name,Email',
        'Ana,Ruiz,ana@shop.example',
        'Bo,Lee,bo@shop.example',
        'Ana,Other,ANA@shop.example',
      ],
      { from: 'shopify' },
    );
    expect(people.counts).toMatchObject({ saved: 1, refused: 2 });
    expect(await find('customer', { email: 'ana@shop.example' })).toEqual([]);
  });

  test('stock below zero of the platform is 0 and told; in a file of one’s own it is refused', async () => {
    await take('products', ['sku,name,price', 'NEG,Negative,3']);
    const rows = ['sku,source_code,quantity,status', 'NEG,cellar,-4,1'];
    expect((await take('stock', rows)).counts).toMatchObject({ saved: 0, refused: 1 });
    const { counts, left } = await take('stock', rows, { from: 'platform' });
    expect(counts).toMatchObject({ saved: 1, refused: 0 });
    expect(left).toEqual([['quantity: it is below zero there and imported as 0', 1]]);
    expect(await lying('NEG')).toEqual([{ quantity: '0.0000', status: 1 }]);
  });

  test('a variation that is sold though its product is disabled on the platform is told', async () => {
    const { left } = await take(
      'products',
      [
        'sku,product_type,name,price,product_online,configurable_variations',
        'JK-S,simple,Jacket S,30,1,',
        'JK,configurable,Jacket,,2,"sku=JK-S,size=S|sku=JK-M,size=M"',
        'JK-M,simple,Jacket M,30,2,',
      ],
      { from: 'platform' },
    );
    expect(left).toContainEqual([
      'status: the product of this variation is disabled there; the variation is not, and is sold',
      1,
    ]);
  });
});

describe('read rows', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pos-rows-'));
  let files = 0;
  function fileOf(text: string | Buffer): string {
    const file = join(folder, `${++files}.csv`);
    writeFileSync(file, text);
    return file;
  }
  async function rowsOf(text: string): Promise<ReadRow[]> {
    const { rows } = await openRows(fileOf(text));
    return all(rows);
  }
  async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
    const found: Item[] = [];
    for await (const item of items) found.push(item);
    return found;
  }
  const good = (...rows: Record<string, string>[]) => rows.map((row) => ({ row, fault: undefined, isShort: false }));
  const cup = { sku: 'CUP', name: 'Cup, red', price: '4.50' };

  test.each([
    ['commas', 'sku,name,price\nCUP,"Cup, red",4.50\n'],
    ['semicolons of a spreadsheet, its mark and its line ends', '\uFEFFsku;name;price\r\nCUP;Cup, red;4.50\r\n'],
    ['a first line that names the delimiter', 'sep=;\r\nsku;name;price\r\nCUP;Cup, red;4.50\r\n'],
    ['a first line that names a tab', '"sep=\t"\nsku\tname\tprice\nCUP\tCup, red\t4.50'],
    ['tabs', 'sku\tname\tprice\nCUP\t"Cup, red"\t4.50'],
    ['bars', 'sku|name|price\nCUP|Cup, red|4.50'],
    ['line ends of an old Mac', 'sku,name,price\rCUP,"Cup, red",4.50\r'],
    ['blank lines, blanks and capitals', '\n\n SKU , Name,PRICE\n\nCUP ," Cup, red ",4.50\n,,\n  \n'],
    ['delimiters at the ends of lines', 'sku,name,price,\nCUP,"Cup, red",4.50,\n'],
    ['a number that a spreadsheet wrote as a text', 'sku,name,price\n="CUP","Cup, red","=""4.50"""\n'],
    ['our file of refused rows', 'row,reason,sku,name,price\n7,"price cannot be ""x"".",CUP,"Cup, red",4.50\n'],
  ])('a file with %s is read', async (_what, text) => {
    expect(await rowsOf(text)).toEqual(good(cup));
  });

  test('a cell goes over several lines, whatever ends them', async () => {
    expect(await rowsOf('sku,name\r\nA,"one\r\ntwo ""quoted""\r\n"\r\nB,b\r\n')).toEqual(
      good({ sku: 'A', name: 'one\ntwo "quoted"' }, { sku: 'B', name: 'b' }),
    );
  });

  test.each(['', '\uFEFF', '\n \r\n', 'sep=;\n'])('a file of %j is empty', async (text) => {
    await expect(openRows(fileOf(text))).rejects.toMatchObject({ message: '"%1" is empty.' });
  });

  test('a file without rows has its columns', async () => {
    const { columns, rows } = await openRows(fileOf('sku,source,quantity'));
    expect([columns, await all(rows)]).toEqual([['sku', 'source', 'quantity'], []]);
  });

  test('a column that is there twice is refused with the file', async () => {
    await expect(openRows(fileOf('sku,name,SKU\nA,b,C'))).rejects.toMatchObject({
      message: 'The first line has the column "%1" twice.',
      parameters: ['sku'],
    });
  });

  const wrong = (text: string) => rowsOf(`sku,name,price\n${text}`);
  const faults = (rows: readonly ReadRow[]) => rows.map(({ row, fault }) => fault ?? row['sku']);

  test('a backslash before a quote costs its own row, and no other', async () => {
    const rows = await wrong('A,"Plate 10\\"",3\nB,Plain,4\nC,"Plate 12\\"",5\nD,Plain,6');
    const said = 'A backslash stands before a quote. Write the quote twice instead.';
    expect(faults(rows)).toEqual([said, 'B', said, 'D']);
    expect(rows[0]?.row).toEqual({ sku: 'A,"Plate 10\\"",3', name: '', price: '' });
  });

  test('a backslash that another quote makes up for costs its own row too', async () => {
    const rows = await wrong('A,"Plate 10\\"",3\nB,Plain,4\nC,Plate 12",5\nD,Plain,6');
    expect(faults(rows)).toEqual(['A backslash stands before a quote. Write the quote twice instead.', 'B', 'C', 'D']);
  });

  test('a backslash at the end of a cell is a backslash', async () => {
    expect(await wrong('A,"C:\\",3\nB,"{""a"":""x\\""y""}\nmore",4')).toEqual(
      good({ sku: 'A', name: 'C:\\', price: '3' }, { sku: 'B', name: '{"a":"x\\"y"}\nmore', price: '4' }),
    );
  });

  test('a quote that is not closed costs its own row, though thousands follow', async () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `N${at},Next,1`);
    const rows = await wrong(['A,"Open,1', ...many].join('\n'));
    expect(rows).toHaveLength(3_001);
    expect(faults(rows).slice(0, 2)).toEqual([
      'A quote is opened and not closed. A quote within a cell is written twice.',
      'N0',
    ]);
  });

  test.each([
    ['more cells than columns', 'A,b,12,50', 'The row has more cells than the first line: "50".'],
    ['the names of the columns once more', 'SKU,Name,Price', 'The row is the first line again.'],
    ['a character that is no text', 'A,b\0,1', 'A cell has a character that is no text.'],
  ])('a row with %s is told', async (_what, line, fault) => {
    expect(faults(await wrong(`${line}\nB,c,1`))).toEqual([fault, 'B']);
  });

  test('a cell under no name is told, and an empty one is none', async () => {
    expect(faults(await rowsOf('sku,,price\nA,,1\nB,x,1'))).toEqual([
      'A',
      'The cell "x" is in a column without a name.',
    ]);
  });

  test('a row may lack its last cells', async () => {
    expect(await wrong('A,b')).toEqual([{ row: { sku: 'A', name: 'b', price: '' }, fault: undefined, isShort: true }]);
  });
});
