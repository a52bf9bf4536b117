import { execFileSync } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { curlCommand, shellVariables } from '../../../local/demo-day/teller.ts';
import { type OfflineCopy, priceInCopy, searchCopy } from '../../../local/demo-day/offline-day.ts';
import type { Ready } from '../../../local/ready-file.ts';

describe('curl command', () => {
  const ready = {
    api: 'http://127.0.0.1:8080/rest',
    gateway: 'http://127.0.0.1:9090',
    registerToken: 'a-register',
    adminToken: 'an-administrator',
  } as Ready;

  /** What a shell would call `curl` with. */
  const wordsOf = (command: string) =>
    execFileSync('bash', ['-euc', `${shellVariables(ready)}\n${command.replace('curl', String.raw`printf '%s\0'`)}`], {
      encoding: 'utf8',
    })
      .split('\0')
      .slice(0, -1);

  test('a shell reads a command as the request that was sent', () => {
    const body = JSON.stringify({ note: `"it's" $5 \`now\` \\ back` });
    const url = `${ready.api}/V1/orders?searchCriteria%5BpageSize%5D=1&name=$HOME`;

    const command = curlCommand(
      { method: 'POST', url, headers: { authorization: 'Bearer a-register', 'x-note': "it's" }, body },
      ready,
    );

    expect(command).toContain('"$API/V1/orders');
    expect(command).not.toContain('a-register');
    expect(wordsOf(command)).toEqual([
      ...['-gsS', '-w', String.raw`\n`, '-X', 'POST', url],
      ...['-H', 'authorization: Bearer a-register', '-H', "x-note: it's", '--data', body],
    ]);
  });

  test('a page’s form is sent field by field', () => {
    const form = { email: 'grace@demo.example', password: "it's & mine" };
    const command = curlCommand({ method: 'POST', url: 'http://127.0.0.1:8080/receipt/1', headers: {}, form }, ready);

    expect(wordsOf(command)).toEqual([
      ...['-gsS', '-w', String.raw`\n`, 'http://127.0.0.1:8080/receipt/1'],
      ...['--data-urlencode', 'email=grace@demo.example', '--data-urlencode', "password=it's & mine"],
    ]);
  });
});

describe('offline copy', () => {
  const copy: OfflineCopy = {
    customersAsOf: new Date('2026-11-23T09:00:00Z'),
    customers: new Map([
      [
        1,
        {
          firstname: 'Chloé',
          lastname: 'Côté',
          email: 'chloe@shop.test',
          addresses: [{ telephone: '+1 (518) 555-0188', company: 'Lamps & Sons' }],
        },
      ],
      [2, { firstname: 'Gustav', lastname: 'Groß', email: 'gustav@shop.test' }],
    ]),
    prices: {
      indexedAt: '2026-11-23T09:00:00.000Z',
      date: '2026-11-23',
      rows: [{ product_id: 3, customer_group_id: 1, rule_price: 53.1 }],
    },
    taxes: {
      tag: 'W/"1"',
      rows: [
        { sku: 'LAMP', country_id: 'US', region_id: 0, value: 2.5 },
        { sku: 'LAMP', country_id: 'US', region_id: 12, value: 4 },
      ],
    },
  };

  test.each([
    ['chloe cote', ['Chloé']],
    ['CÔTÉ', ['Chloé']],
    ['518 555', ['Chloé']],
    ['5185550188', ['Chloé']],
    ['lamps', ['Chloé']],
    ['GROẞ', ['Gustav']],
    ['gross', ['Gustav']],
    ['shop.test', ['Chloé', 'Gustav']],
    ['nobody', []],
  ])('a cashier without a line who types "%s" finds %j', (typed, found) => {
    expect(searchCopy(copy, typed).map(({ firstname }) => firstname)).toEqual(found);
  });

  const lamp = { id: 3, sku: 'LAMP', price: 59 };
  test.each([
    ['a group with a promotion', { groupId: 1, countryId: 'US', regionId: 43 }, { price: 53.1, fixedTax: 2.5 }],
    ['a group without one', { groupId: 2, countryId: 'US', regionId: 43 }, { price: 59, fixedTax: 2.5 }],
    ['a region with a tax of its own', { groupId: 1, countryId: 'US', regionId: 12 }, { price: 53.1, fixedTax: 4 }],
    ['a country without one', { groupId: 1, countryId: 'FR', regionId: 0 }, { price: 53.1, fixedTax: 0 }],
  ])('the copies tell what a piece costs %s', (_, where, expected) => {
    expect(priceInCopy(copy, { product: lamp, ...where })).toEqual(expected);
  });
});
