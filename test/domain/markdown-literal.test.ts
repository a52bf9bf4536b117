import { expect, test } from 'vitest';
import { markdownLiteral } from '../../domain/markdown-literal.ts';

test.each([
  ['Olga Ödegård, at the counter: 12.50 (twice!)', 'Olga Ödegård, at the counter: 12.50 (twice!)'],
  ['vendor_provider_a', 'vendor_provider_a'],
  ['[x](http://evil) **b** <img>', '`[x](http://evil) **b** <img>`'],
  ['_emphasised_', '`_emphasised_`'],
  ['see www.evil.example', '`see www.evil.example`'],
  ['&lt;b&gt;', '`&lt;b&gt;`'],
  ['a `code` b', '``a `code` b``'],
  ['``` ends', '```` ``` ends ````'],
  ['one\n\n# two\r\n- three\u2028\u202Efour', 'one # two - three four'],
  [' \n ', ''],
])('%j is shown as it was written', (text, shown) => {
  expect(markdownLiteral(text)).toBe(shown);
});
