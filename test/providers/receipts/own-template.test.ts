import { expect, test } from 'vitest';
import { templateFault } from '../../../providers/receipts/own-template.ts';
import { renderReceiptPage } from '../../../providers/receipts/render-receipt.ts';
import { anItem, aReceiptView } from '../../support/receipts/a-receipt-view.ts';

const pageBy = (template: string) =>
  renderReceiptPage(
    aReceiptView({
      items: [anItem({ name: '<b>Tea</b>' })],
      settings: { 'vendor_pos_terminal/receipt/template': template },
    }),
  );

test('a shop writes its receipt itself, of our parts and its own words', () => {
  const page = pageBy(
    '<div class="receipt"><h1>Hello from {{shop.name}}</h1>{{#each items}}<p>{{name}}</p>{{/each}}{{> sums}}</div>',
  );
  expect(page).toContain('<h1>Hello from Luma</h1>');
  expect(page).toContain('<p>&lt;b&gt;Tea&lt;/b&gt;</p>');
  expect(page).toContain('$66.96');
});

test.each([
  '{{{shop.name}}}',
  '{{&shop.name}}',
  '{{constructor}}',
  '{{shop.__proto__}}',
  '{{lookup shop "constructor"}}',
  '{{#with shop}}{{name}}{{/with}}',
  '{{#each items as |item|}}{{item.name}}{{/each}}',
  '{{> page}}',
  '{{> (lookup . "x")}}',
  '{{#*inline "x"}}y{{/inline}}{{> x}}',
  '{{@partial-block}}',
  '{{helperMissing}}{{log 1}}',
  '<script>alert(1)</script>',
  '<style>p{}</style>',
  '<iframe src="x"></iframe>',
  '<img src="http://x">',
  '<p onclick="x">y</p>',
  '<p class={{title}}>y</p>',
  '<p class="{{title}}">y</p>',
  '<p style="x">y</p>',
  '<{{title}}>',
  '{{#if title}}<p{{/if}}>',
  '{{#if title}',
  'x'.repeat(50_001),
  '{{#each items}}{{#each @root.items}}{{name}}{{/each}}{{/each}}',
  '{{#each items}}{{#each ../items}}{{name}}{{/each}}{{/each}}',
  '{{#each items}}{{#if name}}{{#each @root.items}}{{name}}{{/each}}{{/if}}{{/each}}',
  '{{#each items}}{{#each options}}{{#each this}}{{this}}{{/each}}{{/each}}{{/each}}',
  '{{#each items}}{{> items}}{{/each}}',
  '{{#each items}}{{name}}{{/each}}'.repeat(101),
  `{{#each items}}${'{{#if name}}{{sku}}{{/if}}'.repeat(51)}{{/each}}`,
  `{{#each items}}${'long '.repeat(401)}{{/each}}`,
  '{{> sums}}'.repeat(3),
])('%s is not of the dialect: the receipt is written by our own template', (template) => {
  expect(templateFault(template)).toEqual(expect.any(String));
  expect(pageBy(template)).toBe(pageBy(''));
});

test('the options of each line, and a list of the receipt as a whole, may be gone through', () => {
  expect(templateFault('{{#each items}}{{#each options}}{{value}}{{/each}}{{/each}}')).toBeUndefined();
  expect(templateFault('{{#each @root.items}}{{name}}{{/each}}{{#each items}}{{name}}{{/each}}')).toBeUndefined();
});

test('a name that no receipt has loses no receipt', () => {
  expect(templateFault('<p>{{nothing.like.it}}</p>')).toBeUndefined();
  expect(pageBy('<p>{{nothing.like.it}}</p>')).toContain('$66.96');
});

test('the log names a receipt that the shop’s own template cannot write, without its content', () => {
  const lines: unknown[] = [];
  const log = { warn: (facts: object) => lines.push(facts) };
  for (const template of [
    '{{layaway.title}}',
    '{{#each items}}{{options.length.x}}{{/each}}',
    '{{{title}}}',
    '{{title}}',
    '',
  ])
    renderReceiptPage(
      aReceiptView({
        items: [anItem({ name: 'Tea' })],
        settings: { 'vendor_pos_terminal/receipt/template': template },
      }),
      { log: log as never },
    );
  expect(lines).toEqual([
    { 'receipt.id': 42, reason: expect.any(String) },
    { 'receipt.id': 42, reason: expect.any(String) },
    { 'receipt.id': 42, reason: 'not of the dialect' },
  ]);
  expect(JSON.stringify(lines)).not.toContain('Tea');
});
