import { expect, test } from 'vitest';
import { templateProblem } from '../../../providers/receipts/check-template.ts';

test.each([
  '',
  '<p>{{title}} {{shop.name}}</p>{{> sums}}',
  '{{#each items}}<p>{{name}}{{#each options}} {{label}}{{/each}}</p>{{/each}}{{> items}}{{> payments}}{{> codes}}{{> shop-info}}',
  '{{#if layaway}}{{> layaway}}{{layaway.title}}{{/if}}{{#if fiscal}}{{> fiscal}}{{/if}}',
  '{{#if total}}{{total.value}}{{/if}}',
])('%j may write every receipt', (template) => {
  expect(templateProblem(template)).toBeUndefined();
});

test.each([
  ['{{#if title}', /cannot be read/],
  ['{{{title}}}', /not escaped/],
  ['{{lookup shop "name"}}', /calls a helper/],
  ['<script>x</script>', /tag <script>/],
  ['<p>{{nothing}}</p>', /names "nothing", which not every receipt has/],
  ['{{#each items}}{{nothing}}{{/each}}', /names "nothing"/],
  ['{{layaway.title}}', /names "title", which not every receipt has; where some have it, ask \{\{#if\}\} first/],
  ['{{#if layaway}}{{layaway.nothing}}{{/if}}', /names "nothing"/],
  ['{{#if shop.logo}}{{shop.logo.nothing}}{{/if}}', /names "nothing"/],
  ['{{#if isClaimed}}{{nothing}}{{/if}}', /names "nothing"/],
  ['{{#if moreItems}}{{nothing}}{{/if}}', /names "nothing"/],
  ['{{#if isRefund}}{{layaway.title}}{{/if}}', /names "title"/],
  ['{{#if shop.vat}}{{nothing}}{{/if}}', /names "nothing"/],
  ['{{#each shop.header}}{{nothing}}{{/each}}', /cannot be written by it .*nothing/],
  ['{{#each shop.footer}}{{nothing}}{{/each}}', /cannot be written by it .*nothing/],
  ['{{#unless shop.isInfoAbove}}{{nothing}}{{/unless}}', /names "nothing"/],
  ['{{> layaway}}', /which not every receipt has/],
])('%j cannot, and it is said why', (template, why) => {
  expect(templateProblem(template)).toMatch(why);
});
