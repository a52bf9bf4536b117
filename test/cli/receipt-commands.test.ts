import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { PNG } from 'pngjs';
import { getConfig } from '../../cli/get-config.ts';
import { setConfig } from '../../cli/set-config.ts';
import { setLogo } from '../../cli/set-logo.ts';
import { readReceiptView } from '../../db/receipts/read-receipt-view.ts';
import { findReceiptLogo } from '../../db/receipts/receipt-logo.repository.ts';
import { saveReceipt } from '../../db/receipts/save-receipt.ts';
import { secretBox } from '../support/builders/counter.ts';
import { aShop } from '../support/builders/shop.ts';
import { testDatabase } from '../support/database.ts';
import { commandContextOf } from './support.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  await aShop(orm.em.fork());
});
afterAll(() => orm.close());

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
  await expect(setLogo(shop(), path(), {})).rejects.toMatchObject({ status: 400, message: expect.stringMatching(why) });
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
