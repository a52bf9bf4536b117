import { describe, expect, test } from '@jest/globals';
import { money, toPlain, type Amount } from '../../../domain/money.ts';
import { compareTenders, reportedTenders } from '../../../domain/register-reports/reported-tenders.ts';

const plain = (figure: Amount | null) => (figure === null ? null : toPlain(figure));
const read = (document: unknown) =>
  reportedTenders(document, 'USD').map(({ tender, currency, counted, expected }) =>
    [tender, currency, plain(counted), plain(expected)].join(' '),
  );

describe('the tenders of a document', () => {
  test('are read as numbers or decimal texts, and rows of one tender and currency are added', () => {
    const tenders = [
      { tender: ' Cash ', currency: 'usd', counted: 190.1, expected: '190.20' },
      { tender: 'cash', counted: 0.2 },
      { tender: 'card', currency: 'EUR', expected: -5 },
      { tender: 'voucher', counted: 0.1 + 0.2 },
    ];
    expect(read({ tenders })).toEqual(['cash USD 190.3 190.2', 'card EUR  -5', 'voucher USD 0.3 ']);
  });

  test.each<[string, unknown]>([
    ['no document', null],
    ['a text', 'tenders'],
    ['a list', [{ tender: 'cash', counted: 1 }]],
    ['a document without tenders', { cash: 5 }],
    ['tenders that are no list', { tenders: { cash: 5 } }],
    ['rows without a tender', { tenders: [{ counted: 5 }, { tender: '', counted: 5 }, { tender: null, counted: 5 }] }],
    ['rows without a figure', { tenders: [{ tender: 'cash' }, { tender: 'cash', counted: 'many', expected: {} }] }],
    ['rows of no currency', { tenders: [{ tender: 'cash', currency: 'dollars', counted: 5 }] }],
    ['rows that are none', { tenders: [1, null, 'cash', []] }],
    [
      'a figure that is too large',
      {
        tenders: [
          { tender: 'cash', counted: 1e300 },
          { tender: 'a', counted: NaN },
        ],
      },
    ],
  ])('are none of %s', (_what, document) => {
    expect(read(document)).toEqual([]);
  });

  test('are at most 200 rows', () => {
    const tenders = Array.from({ length: 300 }, () => ({ tender: 'cash', counted: 1 }));
    expect(read({ tenders })).toEqual(['cash USD 200 ']);
  });
});

describe('compared with what the server has', () => {
  const own = (tender: string, expected: string, counted: string | null = null, currency = 'USD') => ({
    ...{ tender, currency, expected: money(expected) },
    counted: counted === null ? null : money(counted),
  });
  const compare = (document: unknown, ours: ReturnType<typeof own>[]) =>
    compareTenders(reportedTenders(document, 'USD'), ours).map(({ tender, currency, difference, differs }) => [
      ...[tender, currency, plain(difference.counted), plain(difference.expected), differs],
    ]);

  test('equal figures differ in nothing, whatever the case of the tender', () => {
    const tenders = [{ tender: 'CASH', counted: 190, expected: 190.5 }];
    expect(compare({ tenders }, [own('cash', '190.50', '190')])).toEqual([['cash', 'USD', '0', '0', false]]);
  });

  test('a figure that differs, and one that only one side has', () => {
    const tenders = [
      { tender: 'cash', counted: 190, expected: 200 },
      { tender: 'card', expected: 50 },
      { tender: 'voucher', expected: 7 },
      { tender: 'cheque', expected: 0 },
    ];
    expect(
      compare({ tenders }, [own('cash', '190.50'), own('card', '50', '50'), own('card', '3', null, 'EUR')]),
    ).toEqual([
      ['card', 'EUR', null, null, true],
      ['card', 'USD', null, '0', false],
      ['cash', 'USD', null, '9.5', true],
      ['cheque', 'USD', null, null, false],
      ['voucher', 'USD', null, null, true],
    ]);
  });

  test('a document without tenders differs in nothing', () => {
    expect(compare({ note: 'quiet' }, [own('cash', '190.50')])).toEqual([['cash', 'USD', null, null, false]]);
  });
});
