import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { shopSchema } from '../../../cli/shop/shop-file.ts';

const file = 'docs/reference/shop.schema.json';

test('editors check a shop file by what the command reads; UPDATE_SCHEMA=1 writes it anew', () => {
  const text = `${JSON.stringify(shopSchema(), null, 2)}\n`;
  if (process.env['UPDATE_SCHEMA'] === '1') writeFileSync(file, text);
  const written: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const here = `UPDATE_SCHEMA=1 npm test -- test/cli/shop/shop-schema writes ${file}`;
  expect({ [here]: written }).toEqual({ [here]: JSON.parse(text) });
});
