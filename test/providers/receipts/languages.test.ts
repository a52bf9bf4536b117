import { describe, expect, test } from 'vitest';
import { money } from '../../../domain/money/amount.ts';
import type { ReceiptView } from '../../../domain/receipts/receipt-view.ts';
import { arabic } from '../../../providers/receipts/arabic.ts';
import { german } from '../../../providers/receipts/german.ts';
import { noticeText, pageSentences } from '../../../providers/receipts/notice-words.ts';
import { renderReceiptMail, renderReceiptPage } from '../../../providers/receipts/render-receipt.ts';
import { english, type Words } from '../../../providers/receipts/english.ts';
import { aReceiptView } from '../../support/receipts/a-receipt-view.ts';
import { everyKind } from '../../support/receipts/kinds.ts';

const actions = { emailUrl: '/e', downloadUrl: '/d', claimUrl: '/c' };
const withoutTags = (html: string) =>
  html
    .replaceAll(/<style>.*?<\/style>/gs, ' ')
    .replaceAll(/aria-label="([^"]*)"/g, '>$1<')
    .replaceAll(/<[^>]*>/g, '\n');

/** What every medium says, in the words that a reader meets. */
const saidBy = (view: ReceiptView) => {
  const mails = [true, false].map((hasPdf) => renderReceiptMail(view, { hasPdf }));
  return [
    ...[
      withoutTags(renderReceiptPage(view, { actions })),
      withoutTags(renderReceiptPage({ ...view, isClaimed: true })),
    ],
    ...mails.flatMap(({ subject, text, html }) => [subject, text, withoutTags(html)]),
  ].join('\n');
};

/** The words of ours that a text has, unless the receipt's own data or the other language has them too. */
function englishIn(text: string, words: Words, view: ReceiptView): string[] {
  const own = JSON.stringify(view);
  const others = Object.values(words).join('\n');
  const phrases = [
    ...Object.values(english),
    'Cash',
    'Card terminal',
    'Bank Transfer',
    'Auth',
    'Contactless',
    'Signature',
  ];
  const has = (where: string, phrase: string) =>
    new RegExp(`(?<![\\p{L}])${phrase.replaceAll(/[.*+?()]/g, '\\$&')}(?![\\p{L}])`, 'u').test(where);
  return phrases.filter((phrase) => has(text, phrase) && !has(own, phrase) && !has(others, phrase));
}

describe.each([
  ['de_DE', german],
  ['ar_SA', arabic],
] as const)('in %s', (locale, words) => {
  test.each(Object.entries(everyKind))('no word of a receipt of the kind %s is English', (_kind, make) => {
    const view = { ...make(), locale };
    const said = saidBy(view);
    expect(englishIn(said, words, view)).toEqual([]);
    expect(said).toContain(words.download);
    // The search finds what it looks for.
    expect(englishIn(saidBy({ ...view, locale: 'en_US' }), words, view)).not.toEqual([]);
  });

  test('every sentence of the page has its own', () => {
    const notices = pageSentences.map((message) => noticeText(locale, { message }));
    expect(notices.filter((text, at) => text === pageSentences[at])).toEqual([]);
    for (const [at, message] of pageSentences.entries())
      expect(notices[at]?.match(/%\d/g)).toEqual(message.match(/%\d/g));
  });
});

test('credits, ways to pay and a card’s slip are said in German', () => {
  const view = aReceiptView({
    receipt: {
      amountTendered: null,
      changeDue: null,
      appliedCredits: JSON.stringify([
        { type: 'store_credit', amount: '5.00' },
        { type: 'gift_card', code: 'GC-7QK2-9XWP-4421', amount: '20.00' },
        { type: 'reward_points', points: 500, amount: '5.00' },
        { type: 'goodwill', amount: '1.00' },
      ]),
      splitPayments: JSON.stringify([
        { method: 'cash', amount: '15.00' },
        { method: 'provider_a', amount: '20.96', auth_code: '119', aid: 'A01', entry_mode: 'contactless' },
      ]),
    },
    parts: { locale: 'de_DE' },
  });
  const { text } = renderReceiptMail(view);
  for (const line of ['Guthaben', 'Gutschein •••• 4421', 'Bonuspunkte (500 Punkte)', 'Gutschrift', 'Bar'])
    expect(text).toContain(`${line}: `);
  expect(text).toContain('Kartenterminal A: 20,96');
  expect(text).toContain('  Genehmigung 119\n  AID A01\n  Kontaktlos');
});

test('a refund names where the money went, by the register’s label or by its code', () => {
  const refund = (sections: object) =>
    renderReceiptMail(
      aReceiptView({
        receipt: {
          saleType: 'refund',
          grandTotal: money('-5'),
          receiptModel: JSON.stringify({ schema_version: 1, refund: sections }),
        },
        parts: { locale: 'de_DE' },
      }),
    ).text;
  expect(refund({ method: 'original_payment' })).toContain('Erstattet auf: Ursprüngliche Zahlungsart');
  expect(refund({ method: 'store_credit' })).toContain('Erstattet auf: Guthaben');
  expect(refund({ method_label: 'Visa •••• 4242', method: 'terminal' })).toContain('Erstattet auf: Visa •••• 4242');
});

test('a method that the shop has named is called so in every language', () => {
  const named = aReceiptView({
    settings: { 'vendor_pos_terminal/payments/terminal_methods': 'cash:Kasse bar,provider_a:Card terminal A' },
    parts: { locale: 'de_DE' },
  });
  expect(renderReceiptMail(named).text).toContain('Kasse bar: ');
  const card = { ...named, payments: [{ label: null, method: 'provider_a', amount: null, details: [] }] };
  expect(renderReceiptMail(card).text).toContain('Kartenterminal A: ');
});

test('fiscal fields are said in German where they are known, and a yes is a yes', () => {
  const fiscal = { tss_serial_number: 'a1', start_time: '2026-11-23T15:03:21Z', is_training: false, own_field: 'x' };
  const view = aReceiptView({
    receipt: { receiptModel: JSON.stringify({ schema_version: 1, fiscal }) },
    parts: { locale: 'de_DE' },
  });
  expect(renderReceiptMail(view).text).toContain(
    'Seriennummer der TSE: a1\nBeginn: 2026-11-23T15:03:21Z\nIs training: Nein\nOwn field: x',
  );
});

test.each([
  ['en_US', 'Reverse charge: the customer accounts for the tax.', 'Points earned: 62'],
  ['de_DE', 'Steuerschuldnerschaft des Leistungsempfängers.', 'Gesammelte Punkte: 62'],
])('a reverse charge and earned points are told (%s)', (locale, charge, points) => {
  const receipt = { isReverseCharge: true, pointsEarned: money('62') };
  const { text } = renderReceiptMail(aReceiptView({ receipt, parts: { locale } }));
  expect(text).toContain(charge);
  expect(text).toContain(points);
  expect(renderReceiptMail(aReceiptView({ parts: { locale } })).text).not.toContain(charge);
});
