import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { PNG } from 'pngjs';
import { addPoints } from '../../cli/add-points.ts';
import { createGiftCard } from '../../cli/create-gift-card.ts';
import { createUser } from '../../cli/shop-commands.ts';
import { getConfig } from '../../cli/get-config.ts';
import { loadPrices, type LoadPricesOptions } from '../../cli/load-prices.ts';
import { setConfig, setLogo } from '../../cli/settings-commands.ts';
import { readPassword, type CommandContext } from '../../cli/support.ts';
import { findGiftCard } from '../../db/gift-cards/find-gift-card.ts';
import { Customer } from '../../db/platform/customers/customer.entity.ts';
import { readReceiptView } from '../../db/receipts/read-receipt-view.ts';
import { findReceiptLogo } from '../../db/receipts/receipt-logo.repository.ts';
import { saveReceipt } from '../../db/receipts/save-receipt.ts';
import { findPoints } from '../../db/reward-points/read-points.ts';
import { money } from '../../domain/money.ts';
import { parseSettings } from '../../providers/settings.ts';
import { booksOf } from '../support/books.ts';
import { secretBox } from '../support/builders/counter.ts';
import { aShop } from '../support/builders/shop.ts';
import { aCustomer, aSecondWebsite } from '../support/builders/wallet.ts';
import { testDatabase } from '../support/database.ts';
import { useDatabase } from '../support/fixtures.ts';
import { eightAtOnce } from '../support/rivals.ts';
import { commandContextOf } from './support.ts';
import { firstId } from '../support/first-id.ts';

describe('credit commands', () => {
  const orm = useDatabase();
  beforeAll(async () => {
    await aShop(fork());
    await aSecondWebsite(fork());
  });

  const { fork, find } = booksOf(() => orm);
  const shop = () => commandContextOf(orm);
  const auditOf = (type: string) => find('pos_audit_log', { entity_type: type }, 'entity_id', 'old_value', 'new_value');

  test('a gift card is made with the code that is named', async () => {
    const { text, json } = await createGiftCard(shop(), { amount: '50', code: 'Mother-1', expires: '2099-12-31' });

    expect(text).toBe('Gift card Mother-1 was made with 50.00 USD.');
    expect(json).toMatchObject({ code: 'Mother-1', balance: 50, currency: 'USD', website_id: 1 });
    expect(await findGiftCard(fork(), 'mother-1')).toMatchObject({ balance: money('50'), isExpired: false });
    expect(await auditOf('gift_card')).toEqual([{ entity_id: String(firstId), old_value: null, new_value: '50 USD' }]);
  });

  test('without a code the card gets a random one, in the currency of the website', async () => {
    const { json } = await createGiftCard(shop(), { amount: '12.50', website: 'eu' });
    expect(json).toMatchObject({ code: expect.stringMatching(/^[A-Z2-9]{4}(-[A-Z2-9]{4}){3}$/), currency: 'EUR' });
  });

  test.each([
    [{ amount: 'fifty' }, 400],
    [{ amount: '1e3' }, 400],
    [{ amount: '0' }, 400],
    [{ amount: '-5' }, 400],
    [{ amount: '0.005' }, 400],
    [{ amount: '5', code: 'MOTHER-1' }, 400],
    [{ amount: '5', website: 'mars' }, 404],
    [{ amount: '5', expires: 'tomorrow' }, 400],
    [{ amount: '5', expires: '2020-01-01' }, 400],
    [{ amount: '5', expires: '2099-02-30' }, 400],
  ])('no gift card is made of %j', async (options, status) => {
    await expect(createGiftCard(shop(), options)).rejects.toMatchObject({ status });
  });

  test('points are given and taken, with a line in the audit trail each', async () => {
    const customerId = await aCustomer(fork());
    const customer = String(customerId);

    expect((await addPoints(shop(), { customer, points: '100' })).text).toBe(
      `Customer ${customer} got 100 points and has 100 now.`,
    );
    expect((await addPoints(shop(), { customer, points: '-40' })).json).toMatchObject({ balance: 60 });
    expect(await findPoints(fork(), customerId, 1)).toBe(60);
    expect(await auditOf('reward_points')).toEqual([
      { entity_id: customer, old_value: '0', new_value: '100' },
      { entity_id: customer, old_value: '100', new_value: '60' },
    ]);
  });

  test.each([
    [{ points: '0' }, 400],
    [{ points: '1.5' }, 400],
    [{ points: '-1' }, 400],
    [{ points: '99999999999' }, 400],
    [{ points: '5', customer: 'Grace' }, 400],
    [{ points: '5', customer: 'order-1' }, 400],
    [{ points: '5', customer: '99999' }, 404],
    [{ points: '5', website: 'mars' }, 404],
    [{ points: '5', reason: 'paid with 4111111111111111' }, 400],
  ])('no points are given by %j', async (options, status) => {
    const customer = String(await aCustomer(fork()));
    await expect(addPoints(shop(), { customer, ...options })).rejects.toMatchObject({ status });
  });
});

describe('load prices', () => {
  let orm: MikroORM;
  let folder: string;
  let customer: number;
  let email: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'prices-'));
    orm = await testDatabase();
    await aShop(fork());
    await aSecondWebsite(fork());
    customer = await aCustomer(fork());
    ({ email } = await fork().findOneOrFail(Customer, { id: customer }));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await orm.close();
  });

  const { fork, find, howMany } = booksOf(() => orm);
  const load = (text: string, options: LoadPricesOptions = {}) => {
    const file = join(folder, 'contracts.csv');
    writeFileSync(file, text);
    return loadPrices(commandContextOf(orm), file, options);
  };
  const stored = async (websiteId = 1) =>
    (await find('pos_contract_price', { website_id: websiteId }, 'sku', 'qty', 'price'))
      .toSorted((a, b) => a.sku.localeCompare(b.sku) || a.qty - b.qty)
      .map(({ sku, qty, price }) => `${sku} ${Number(qty)} ${Number(price)}`);
  const auditLines = () => howMany('pos_audit_log', { entity_type: 'contract_prices' });

  test('a list is loaded by id or e-mail, with tiers, and says what the catalog does not have yet', async () => {
    const { text, json } = await load(
      `\uFEFFSKU,Customer,Qty,Price\nMUG,${customer},1,45\nMUG,${email.toUpperCase()},12, 39.50\n"NEW,ONE",${customer},,7\n\n`,
    );
    expect(text).toBe('3 lines: 3 prices saved, 0 removed, in USD for website base. Not in the catalog yet: NEW,ONE.');
    expect(json).toMatchObject({ lines: 3, saved: 3, removed: 0, website_id: 1, unknown_skus: ['NEW,ONE'] });
    expect(await stored()).toEqual(['MUG 1 45', 'MUG 12 39.5', 'NEW,ONE 1 7']);
    expect(await auditLines()).toBe(1);
  });

  test('the same list again, and eight times at once, changes nothing', async () => {
    const list = `customer,sku,qty,price\n${customer},MUG,1,45\n${customer},MUG,12,39.5\n`;
    const before = await auditLines();
    const answers = await eightAtOnce(() => load(list));
    for (const { json } of answers) expect(json).toMatchObject({ saved: 0, removed: 0 });
    expect(await stored()).toEqual(['MUG 1 45', 'MUG 12 39.5', 'NEW,ONE 1 7']);
    expect(await auditLines()).toBe(before);
  });

  test('another price replaces, a line without one ends the step, and --replace ends what is not in the list', async () => {
    expect((await load(`customer,sku,qty,price\n${customer},MUG,1,44\n${customer},MUG,12,\n`)).json).toMatchObject({
      saved: 1,
      removed: 1,
    });
    expect(await stored()).toEqual(['MUG 1 44', 'NEW,ONE 1 7']);
    const list = `customer,sku,qty,price\n${customer},PLATE,1,30\n`;
    expect((await load(list, { replace: true })).json).toMatchObject({ saved: 1, removed: 2 });
    expect(await stored()).toEqual(['PLATE 1 30']);
  });

  test('a SKU in other letters is the same step: it is changed, ended and told twice as such', async () => {
    await load(`customer,sku,qty,price\n${customer},MUG,1,45\n`, { replace: true });
    expect((await load(`customer,sku,qty,price\n${customer},mug,1,44\n`)).json).toMatchObject({
      ...{ saved: 1, removed: 0, unknown_skus: [] },
    });
    expect(await stored()).toEqual(['MUG 1 44']);
    expect((await load(`customer,sku,qty,price\n${customer},Mug,1,\n`)).json).toMatchObject({ saved: 0, removed: 1 });
    const twice = `customer,sku,qty,price\n${customer},MUG,1,1\n${customer},mug,1,2\n`;
    await expect(load(twice)).rejects.toMatchObject({ status: 400 });
    await load(`customer,sku,qty,price\n${customer},PLATE,1,30\n`, { replace: true });
  });

  test('a website has contracts of its own', async () => {
    await load(`customer,sku,qty,price\n${customer},MUG,1,40\n`, { website: 'eu', replace: true });
    expect(await stored(2)).toEqual(['MUG 1 40']);
    expect(await stored()).toEqual(['PLATE 1 30']);
  });

  test.each<[string, string, number, LoadPricesOptions?]>([
    ['an unknown customer', 'customer,sku,qty,price\nnobody@example.com,MUG,1,1\n', 400],
    ['an id nobody has', 'customer,sku,qty,price\n999999999,MUG,1,1\n', 400],
    ['a step that is there twice', 'customer,sku,qty,price\n1,MUG,1,1\n1,MUG,1.0,2\n', 400],
    ['an invalid price', 'customer,sku,qty,price\n1,MUG,1,cheap\n', 400],
    ['a price below zero', 'customer,sku,qty,price\n1,MUG,1,-1\n', 400],
    ['a quantity of nothing', 'customer,sku,qty,price\n1,MUG,0,1\n', 400],
    ['a quantity that no column holds', 'customer,sku,qty,price\n1,MUG,10000000000,1\n', 400],
    ['a backslash before a quote', 'customer,sku,qty,price\n"1\\"",MUG,1,1\n', 400],
    ['a column that is there twice', 'customer,sku,sku,qty,price\n1,MUG,MUG,1,1\n', 400],
    ['an empty file', '', 400],
    ['no SKU', 'customer,sku,qty,price\n1,,1,1\n', 400],
    ['no column of prices', 'customer,sku,qty\n1,MUG,1\n', 400],
    ['lines of another length', 'customer,sku,qty,price\n1,MUG\n', 400],
    ['another website than there is', 'customer,sku,qty,price\n1,MUG,1,1\n', 404, { website: 'mars' }],
    // Rows of three and a function of four: Jest would wait for a callback.
  ])('%s: nothing is loaded', async (...[, text, status, options = {}]) => {
    const before = await stored();
    const good = `${customer},GIFTWRAP,1,1\n`;
    await expect(load(text.replace('1,MUG', `${customer},MUG`) + good, options)).rejects.toMatchObject({ status });
    expect(await stored()).toEqual(before);
  });

  test('a file that is not there is said so', async () => {
    await expect(loadPrices(commandContextOf(orm), join(folder, 'gone.csv'), {})).rejects.toMatchObject({
      status: 400,
    });
  });
});

describe('read password', () => {
  /** The two sides of a terminal, and what came out of it. */
  function aTerminal(typed: string, { isTTY }: { isTTY: boolean }) {
    const input = Object.assign(new PassThrough(), { isTTY });
    const output = new PassThrough();
    input.end(typed);
    return { input, output, shown: () => String(output.read() ?? '') };
  }

  test('a script sends the password as a line, and nothing is shown', async () => {
    const terminal = aTerminal('Lantern-2026\nmore\n', { isTTY: false });
    expect(await readPassword(terminal)).toBe('Lantern-2026');
    expect(terminal.shown()).toBe('');
  });

  test('a typed password is not shown', async () => {
    const terminal = aTerminal('Lantern-2026\n', { isTTY: true });
    expect(await readPassword(terminal)).toBe('Lantern-2026');
    expect(terminal.shown()).toBe('Password: \n');
  });

  test('an empty password is refused', async () => {
    await expect(readPassword(aTerminal('', { isTTY: false }))).rejects.toMatchObject({ status: 400 });
  });

  test.each(['short1', 'letters-only', '12345678', ''])(
    'an administrator gets no password such as "%s"',
    async (given) => {
      const shop: Pick<CommandContext, 'settings' | 'em'> = {
        settings: parseSettings({}),
        em: () => Promise.reject(new Error('nothing is asked')),
      };
      const user = {
        username: 'u',
        email: 'u@shop.example',
        firstName: 'U',
        lastName: 'V',
        acl: 'all',
        askPassword: true,
      };
      await expect(createUser(shop as CommandContext, user, async () => given)).rejects.toMatchObject({
        status: 400,
      });
    },
  );
});

describe('receipt commands', () => {
  const orm = useDatabase();
  beforeAll(() => aShop(orm.em.fork()));

  const shop = () => commandContextOf(orm);
  const folder = mkdtempSync(join(tmpdir(), 'pos-logo-'));
  const aFile = (name: string, content: Buffer) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const templatePath = 'vendor_pos_terminal/receipt/template';
  const shown = async () => {
    const receiptId = await saveReceipt(orm.em.fork(), secretBox, { fields: { posOrderId: 'a-sale' }, items: [] });
    return (await readReceiptView(orm.em.fork(), { receiptId }, { box: secretBox, publicBaseUrl: undefined })).shop;
  };

  test('a logo is on the next receipt, and the same again changes nothing', async () => {
    const file = aFile('logo.png', PNG.sync.write(new PNG({ width: 3, height: 2 })));
    const first = await setLogo(shop(), file, {});
    const again = await setLogo(shop(), file, {});
    const { digest } = first.json as { digest: string };

    expect(first.text).toBe('Receipts have this logo now (3 × 2).');
    expect(again).toEqual(first);
    expect((await shown()).logo).toEqual({ digest, widthPercent: expect.any(Number) });
    expect(PNG.sync.read((await findReceiptLogo(orm.em.fork(), digest)) ?? Buffer.alloc(0)).width).toBe(3);
  });

  test.each([
    ['no file', () => join(folder, 'nothing.png'), /cannot be read/],
    ['no picture', () => aFile('text.png', Buffer.from('hello')), /A logo is a PNG/],
  ])('%s is refused, and the logo stays', async (_what, path, why) => {
    const before = (await shown()).logo;
    await expect(setLogo(shop(), path(), {})).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(why),
    });
    expect((await shown()).logo).toEqual(before);
  });

  test('a logo of a website that is not there is refused', async () => {
    const file = aFile('logo.png', PNG.sync.write(new PNG({ width: 3, height: 2 })));
    await expect(setLogo(shop(), file, { website: 'nowhere' })).rejects.toMatchObject({ status: 404 });
  });

  test('a logo is set by its file, not by a word', async () => {
    await expect(setConfig(shop(), 'vendor_pos_terminal/receipt/logo', 'logo.png', {})).rejects.toMatchObject({
      status: 400,
    });
  });

  test('a template that can write every receipt is set; a broken one is refused, and the answer says why', async () => {
    const good = '<p>{{title}}</p>{{> items}}';
    await setConfig(shop(), templatePath, good, {});
    for (const bad of ['{{#if title}', '{{lookup shop "name"}}', '<p>{{nothing}}</p>', '<script>x</script>'])
      await expect(setConfig(shop(), templatePath, bad, {})).rejects.toMatchObject({
        status: 400,
        message: 'This cannot be the template of receipts: %1.',
      });
    expect((await shown()).template).toBe(good);

    await setConfig(shop(), templatePath, null, {});
    expect((await shown()).template).toBeNull();
    expect((await getConfig(shop(), templatePath, {})).text).not.toContain('title');
  });
});
