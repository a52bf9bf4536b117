import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import { money } from '../../../domain/money.ts';
import type { ReceiptView } from '../../../domain/receipts/receipt-view.ts';
import { arabic, english, german, type Words } from '../../../providers/receipts/receipt-writer.ts';
import { drawLogo } from '../../../providers/platform.ts';
import { noticeText, pageSentences } from '../../../providers/receipts/notice-words.ts';
import { templateFault } from '../../../providers/receipts/own-template.ts';
import { printReceipt } from '../../../providers/receipts/printed-receipt.ts';
import {
  renderReceiptDocument,
  renderReceiptMail,
  renderReceiptNotice,
  renderReceiptPage,
} from '../../../providers/receipts/render-receipt.ts';
import { aToldPng, block } from '../../support/pictures.ts';
import { anItem, aPlace, aReceiptView } from '../../support/receipts/a-receipt-view.ts';
import { everyKind } from '../../support/receipts/kinds.ts';
import { waysOut } from '../../support/receipts/ways-out.ts';

describe('colours', () => {
  const style = readFileSync(new URL('../../../providers/receipts/templates/style.css', import.meta.url), 'utf8');

  /** The colours of each mode, by name; the dark one and the printed one begin with those of the light one. */
  function coloursOf(mode: 'light' | 'dark' | 'print'): Record<string, string> {
    const at = { light: 0, dark: style.indexOf('prefers-color-scheme: dark'), print: style.indexOf('@media print') }[
      mode
    ];
    const block = /:root \{([^}]*)\}/.exec(style.slice(at))?.[1] ?? '';
    const own = Object.fromEntries(
      [...block.matchAll(/--([\w-]+): (#[0-9a-f]+);/g)].map(([, name, hex]) => [name, hex]),
    );
    return mode === 'light' ? own : { ...coloursOf('light'), ...own };
  }

  /** How bright a colour is, as WCAG 2.2 reckons it. */
  function brightness(hex = ''): number {
    const long = hex.length === 4 ? hex.slice(1).replaceAll(/./g, '$&$&') : hex.slice(1);
    const [red = 0, green = 0, blue = 0] = [0, 2, 4]
      .map((at) => Number.parseInt(long.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }

  function contrast(one: string | undefined, other: string | undefined): number {
    const [dark = 0, light = 0] = [brightness(one), brightness(other)].toSorted((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  /** Texts and what they stand on. */
  const texts = [
    ['ink', 'paper'],
    ['soft', 'paper'],
    ['ink', 'ground'],
    ['on-accent', 'accent'],
    ['good', 'good-ground'],
    ['bad', 'bad-ground'],
  ] as const;

  test.each(['light', 'dark', 'print'] as const)('every text can be read in the mode %s (WCAG AA)', (mode) => {
    const colours = coloursOf(mode);
    const tooPale = texts.filter(([text, ground]) => contrast(colours[text], colours[ground]) < 4.5);
    expect(tooPale).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'the frame of a field and the bar of a layaway can be seen in the mode %s',
    (mode) => {
      const colours = coloursOf(mode);
      const frame = /border: 1px solid (#[0-9a-f]{6})/.exec(style)?.[1];
      for (const [shape, ground] of [
        [frame, colours['paper']],
        [colours['good'], colours['line']],
        [colours['accent'], colours['ground']],
      ])
        expect(contrast(shape, ground)).toBeGreaterThanOrEqual(3);
    },
  );
});

describe('draw logo', () => {
  const picture = (width: number, height: number) => {
    const png = new PNG({ width, height });
    png.data.fill(0x7f);
    return png;
  };

  const headerBytes = 33;

  test('the pixels stay, and nothing else of the file', async () => {
    const png = picture(4, 3);
    png.data.set([1, 2, 3, 4], 0);
    const file = PNG.sync.write(png);
    const comment = block('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
    const whole = [file.subarray(0, headerBytes), comment, file.subarray(headerBytes), Buffer.from('<script>')];
    const drawn = await drawLogo(Buffer.concat(whole));

    expect(drawn).toMatchObject({ width: 4, height: 3 });
    expect(PNG.sync.read(drawn.content).data).toEqual(png.data);
    expect(drawn.content.includes('script')).toBe(false);
    expect(await drawLogo(drawn.content)).toEqual(drawn);
  });

  test('the same picture has the same name, another another', async () => {
    const drawn = [picture(2, 2), picture(2, 2), picture(2, 3)].map((png) => drawLogo(PNG.sync.write(png)));
    const names = (await Promise.all(drawn)).map(({ digest }) => digest);
    expect(names[0]).toBe(names[1]);
    expect(names[2]).not.toBe(names[0]);
    expect(names[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  const file = PNG.sync.write(picture(4, 4));
  const sized = (width: number, height: number) => aToldPng([[width, height]], Buffer.alloc(64));

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a text', Buffer.from('hello '.repeat(20))],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'.padEnd(60))],
    ['half a file', file.subarray(0, file.length - 20)],
    [
      'a file with another checksum',
      Buffer.concat([file.subarray(0, headerBytes - 1), Buffer.from([0]), file.subarray(headerBytes)]),
    ],
    ['more pixels than it has', sized(1_000, 1_000)],
    ['a picture of no width', sized(0, 4)],
  ])('the shop does not print %s as a logo', async (_what, content) => {
    await expect(drawLogo(content)).rejects.toThrow('A logo is a PNG.');
  });

  test.each([
    ['a width that would fill the memory', sized(60_000, 60_000)],
    ['one pixel too many', sized(1_201, 1)],
  ])('%s is refused before anything is unpacked', async (_what, content) => {
    await expect(drawLogo(content)).rejects.toThrow('A logo has at most %1 pixels each way.');
  });

  test('a file of more than 500 kB is not looked at', async () => {
    await expect(drawLogo(Buffer.alloc(500_001))).rejects.toThrow('A logo has at most %1 kB.');
  });
});

describe('languages', () => {
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
});

describe('a long mail', () => {
  const long = (count: number, item: object = {}) =>
    aReceiptView({ items: Array.from({ length: count }, (_, at) => anItem({ name: `Thing ${at}`, ...item })) });
  const bytes = (text: string) => Buffer.byteLength(text);

  test('of a usual sale is whole, with the items before the totals', () => {
    const { html, text } = renderReceiptMail(long(20));
    for (const mail of [html, text]) {
      expect(mail.indexOf('Thing 0')).toBeLessThan(mail.indexOf('66.96', mail.indexOf('Thing 19')));
      expect(mail).toContain('Thing 19');
    }
  });

  test.each([
    ['500 items', () => long(500)],
    ['500 items with long names', () => long(500, { name: '&"'.repeat(127) })],
    ['one item with a name of 30,000 letters', () => long(1, { name: 'Ж'.repeat(30_000) })],
    [
      '100,000 letters of fiscal data',
      () =>
        aReceiptView({
          receipt: {
            receiptModel: JSON.stringify({
              schema_version: 1,
              fiscal: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field_${at}`, '<'.repeat(1_000)])),
            }),
          },
        }),
    ],
  ])('of %s is shown whole by mail programs, totals first', (_what, view) => {
    const { html, text } = renderReceiptMail(view());
    expect(bytes(html)).toBeLessThanOrEqual(100_000);
    expect(html.indexOf('66.96')).toBeLessThan(20_000);
    expect(html.trimEnd().endsWith('</html>')).toBe(true);
    expect(bytes(text)).toBeLessThanOrEqual(100_000);
  });

  test('has as many items as fit, and the number of the others', () => {
    const { html, text } = renderReceiptMail(long(500));
    const listed = Array.from({ length: 500 }, (_, at) => at).filter((at) => html.includes(`>Thing ${at}<`)).length;
    expect(listed).toBeGreaterThan(50);
    expect(bytes(html)).toBeGreaterThan(90_000);
    expect(text).toContain(`Further items that are not listed here: ${500 - listed}`);
    expect(html.indexOf('Thing 0<')).toBeGreaterThan(html.indexOf('66.96'));
    expect(renderReceiptPage(long(500))).toContain('Thing 499');
  });
});

describe('own template', () => {
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
});

describe('render receipt', () => {
  /** What reads the page reads its text: everything between the tags, signs of the language turned back. */
  const textOf = (html: string) =>
    html
      .replaceAll(/<style>.*?<\/style>/gs, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#x27;', "'")
      .replaceAll('&#x60;', '`')
      .replaceAll('&#x3D;', '=')
      .replaceAll('&amp;', '&')
      .replaceAll(/\s+/g, ' ');

  const hostile = [
    ...Object.values(waysOut('http://127.0.0.1:9', '/etc/passwd')),
    '"><svg onload=alert(1)>',
    '</style><iframe src=file:///etc/passwd>',
    '{{constructor}}',
    '{{{x}}}',
    '{{lookup this "__proto__"}}',
    'javascript:alert(1)',
    '<a href="data:text/html,x">',
    '<base href=//evil>',
  ];

  describe.each(hostile)('%j in every field', (text) => {
    const view = aReceiptView({
      items: [anItem({ name: text, sku: text })],
      place: aPlace({
        name: text,
        street: text,
        receipt_header: text,
        receipt_footer: text,
        phone: text,
        vat_number: text,
      }),
      receipt: {
        staffName: text,
        terminalName: text,
        customerName: text,
        receiptNumber: text,
        orderIncrementId: text,
        paymentMethod: text,
        terminalInfo: text,
        currency: text,
        shipToShipments: JSON.stringify([{ name: text, street: [text], method: text, items: [{ name: text }] }]),
        splitPayments: JSON.stringify([{ label: text, amount: '1.00', card_brand: text, auth_code: text }]),
        appliedCredits: JSON.stringify([{ type: text, label: text, code: text }]),
        receiptModel: JSON.stringify({
          schema_version: 1,
          totals: { tax_breakdown: [{ label: text, rate: text }] },
          fiscal: { signature: text, [text]: 'key', qr_code_data: text },
        }),
      },
      settings: {
        'general/store_information/name': text,
        'vendor_pos_terminal/receipt/qr_text': text,
        'vendor_pos_terminal/receipt/qr_url': text,
      },
    });
    const actions = { notice: { text, isProblem: true }, emailUrl: '/e', hidden: [{ name: text, value: text }] };

    test.each([
      ['page', () => renderReceiptPage(view, { actions })],
      ['mail', () => renderReceiptMail(view).html],
      ['notice', () => renderReceiptNotice({ title: text, text, isProblem: true })],
    ])('is text of the %s and nothing else', (_which, render) => {
      const html = render();
      const plain = renderReceiptPage(aReceiptView());
      expect(textOf(html)).toContain(text.replaceAll(/\s+/g, ' '));
      const tags = [...html.matchAll(/<\/?([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag);
      expect(tags.filter((tag) => /^(script|iframe|object|embed|base|video|image)$/i.test(tag ?? ''))).toEqual([]);
      expect(html.match(/<(?:link|meta http-equiv)/g)).toBeNull();
      expect(html.match(/<style>/g)?.length ?? 0).toBeLessThanOrEqual(plain.match(/<style>/g)?.length ?? 0);
      expect(html).not.toMatch(/<[^>]+\son\w+=/i);
      for (const [, address] of html.matchAll(/\s(?:href|src|action)="([^"]*)"/g))
        expect(address).toMatch(/^(?:https:\/\/shop\.example\/|\/)/);
    });
  });

  test.each(Object.entries(everyKind))(
    'a receipt of the kind %s says the same on its page, in its mail and as text',
    (_kind, view) => {
      const shown = view();
      const mail = renderReceiptMail(shown);
      const page = textOf(renderReceiptPage(shown));
      for (const { name } of shown.items) {
        expect(page).toContain(name.replaceAll(/\s+/g, ' '));
        expect(textOf(mail.html)).toContain(name.replaceAll(/\s+/g, ' '));
        expect(mail.text).toContain(name);
      }
      const reason = shown.refund?.reason ?? '';
      for (const text of [page, textOf(mail.html), mail.text]) expect(text).toContain(reason);
      expect(mail.html).not.toContain('<style');
    },
  );

  test.each([
    ['en_US', 'DE', 'Germany'],
    ['de_DE', 'DE', 'Deutschland'],
    ['ar_SA', 'DE', 'ألمانيا'],
    ['en_US', 'Germany', 'Germany'],
    ['en_US', 'QQ', 'QQ'],
  ])('in %s the country %s of an address is %s', (locale, country, name) => {
    const shipToShipments = JSON.stringify([{ city: 'Berlin', postcode: '10178', country }]);
    const view = aReceiptView({ receipt: { shipToShipments }, parts: { locale } });
    expect(textOf(renderReceiptPage(view))).toContain(`10178 Berlin ${name}`);
    expect(renderReceiptMail(view).text).toContain(`10178 Berlin\n${name}`);
  });

  test('a refund is what went back, without a sign, and its column adds up to the total', () => {
    const page = textOf(renderReceiptPage(everyKind['refund']?.() ?? aReceiptView()));
    expect(page).toContain('Refund $36.72');
    expect(page).toContain('Joust Duffle Bag $34.00');
    expect(page).toContain('Subtotal $34.00 Shipping refund $5.00 Fee -$5.00 Tax $2.72 Total refunded $36.72');
    expect(page).toContain('Original order 000000042');
  });

  const partlyKept = 'Subtotal $34.00 Shipping refund $5.00 Fee -$5.00 Tax $2.72 Total refunded $36.72';
  const allKept = 'Subtotal $34.00 Shipping refund $5.00 Fee -$41.72 Tax $2.72 Total refunded $0.00';
  test.each([
    [1, '5.00', '36.72', partlyKept],
    [-1, '5.00', '36.72', partlyKept],
    [1, '41.72', '0', allKept],
    [-1, '41.72', '0', allKept],
  ])('a refund is shown the same, whether a register writes it with a sign or without: %d, a fee of %s', (...row) => {
    const [sign, fee, refunded, shown] = row;
    const amount = (text: string) => money(`${sign < 0 ? '-' : ''}${text}`);
    const view = aReceiptView({
      receipt: {
        saleType: 'refund',
        subtotal: amount('34.00'),
        taxAmount: amount('2.72'),
        grandTotal: amount(refunded),
        shippingRefund: money('5.00'),
        adjustmentNegative: money(fee),
      },
    });
    expect(textOf(renderReceiptPage(view))).toContain(shown);
  });

  test('money, moments and words are those of the shop’s language, each by its currency’s own coins', () => {
    const german = everyKind['sale-fiscal']?.() ?? aReceiptView();
    expect(textOf(renderReceiptPage(german)).replaceAll('\u00a0', ' ')).toContain('Summe 92,30 €');
    const yen = aReceiptView({ receipt: { currency: 'JPY', grandTotal: money('1980') }, parts: { locale: 'ja_JP' } });
    expect(textOf(renderReceiptPage(yen))).toContain('￥1,980');
    const dinar = aReceiptView({ receipt: { currency: 'KWD', grandTotal: money('1.250') } });
    expect(textOf(renderReceiptPage(dinar)).replaceAll('\u00a0', ' ')).toContain('KWD 1.250');
    const nothing = aReceiptView({
      receipt: { currency: null },
      parts: { locale: 'not a locale', timeZone: 'Nowhere/At' },
    });
    expect(textOf(renderReceiptPage(nothing))).toContain('Total 66.96');
  });

  test('a shop whose language runs from right to left has its receipt so', () => {
    expect(renderReceiptPage(everyKind['arabic']?.() ?? aReceiptView())).toContain('dir="rtl"');
  });

  test('the page offers the given actions, and a claimed receipt no second claim', () => {
    const actions = { emailUrl: '/e', downloadUrl: '/d', claimUrl: '/c' };
    const offered = renderReceiptPage(aReceiptView(), { actions });
    expect(offered).toContain('action="/e"');
    expect(offered).toContain('href="/d"');
    expect(offered).toContain('action="/c"');
    const claimed = renderReceiptPage(aReceiptView({ receipt: { claimedAt: new Date(0) } }), { actions });
    expect(claimed).not.toContain('action="/c"');
    expect(renderReceiptPage(aReceiptView())).not.toContain('<form');
  });

  test('a subject is one line, whatever the shop is called', () => {
    const view = aReceiptView({ settings: { 'general/store_information/name': 'Luma\r\nBcc: x@y.example' } });
    expect(renderReceiptMail(view).subject).toBe('Receipt 000000042 · Luma Bcc: x@y.example');
  });

  test('the page, the PDF and both forms of the mail show the name of the shop once, with a logo and without', () => {
    const shownIn = (html: string) =>
      html.replaceAll(/<(title|style|script)\b[^]*?<\/\1>/g, '').replaceAll(/<(?!img)[^>]*>/g, ' ');
    const logo = 'data:image/png;base64,';
    const places = [
      aPlace({}),
      aPlace({ name: 'Luma' }),
      aPlace({ name: 'Luma, Harbor Street', receipt_header: 'Luma' }),
      aPlace({ receipt_header: 'Luma · Harbor Street\nOpen till 8' }),
    ];
    const views = [
      ...Object.values(everyKind).map((kind) => kind()),
      ...places.map((place) => aReceiptView({ place })),
    ];
    for (const view of views) {
      const { name } = view.shop;
      const mail = renderReceiptMail(view);
      const drawn = { ...view, shop: { ...view.shop, logo: { digest: 'a'.repeat(64), widthPercent: 50 } } };
      const shown = [
        shownIn(renderReceiptPage(view)),
        shownIn(renderReceiptDocument(view, { logo: null })),
        shownIn(renderReceiptDocument(drawn, { logo })),
        mail.text,
        shownIn(mail.html),
        shownIn(renderReceiptMail(drawn, { logo, hasPdf: true }).html),
      ];
      expect(shown.map((text) => text.split(name).length - 1)).toEqual(shown.map(() => 1));
    }
  });

  test('a receipt says the name of the shop once, and a short reference of the sale', () => {
    const shownOf = (place: Parameters<typeof aPlace>[0]) => {
      const view = aReceiptView({ place: aPlace(place) });
      return { ...printReceipt(view, { logo: null }), view };
    };
    const { shop, facts, view } = shownOf({
      name: 'Luma, Harbor Street',
      receipt_header: 'Luma, Harbor Street\nOpen till 8',
    });

    expect([shop.name, shop.locationName]).toEqual([view.shop.name, 'Harbor Street']);
    expect(shownOf({ name: 'Harbor Street', receipt_header: 'Luma · Harbor Street\nOpen till 8' }).shop.header).toEqual(
      ['Open till 8'],
    );
    expect(shownOf({ name: view.shop.name }).shop.locationName).toBeNull();
    expect(shownOf({ receipt_header: 'Harbor Street\nA line about Luma' }).shop.header).toEqual([
      'Harbor Street',
      'A line about Luma',
    ]);
    expect(facts).toContainEqual({ label: 'Reference', value: '6F1D2C1E', isLong: false });
  });
});
