import type { Mutant } from './mutant.ts';

/** What must not happen quietly on a receipt that a shopper reads. */
export const receiptMutants: readonly Mutant[] = [
  {
    id: 'M44',
    mistake: 'a template writes what it is given without escaping it',
    patches: [{ file: 'providers/receipts/templates.ts', find: '  noEscape: false,', replace: '  noEscape: true,' }],
    killedBy: ['test/providers/receipts/render-receipt.test.ts'],
    named: '^(?:render receipt) ',
  },
  {
    id: 'RC1',
    mistake: 'a shop’s own template may write a value without escaping it',
    patches: [
      {
        file: 'providers/receipts/own-template.ts',
        find: "  if (!statement.escaped) return 'it has a value that is not escaped';\n",
        replace: '',
      },
    ],
    killedBy: ['test/providers/receipts/render-receipt.test.ts'],
    named: '^(?:own template) ',
  },
  {
    id: 'RC2',
    mistake: 'a document of an unknown version is shown',
    patches: [
      {
        file: 'domain/receipts/receipt-payments.ts',
        find: "isSection(parsed) && Number(parsed['schema_version']) === knownVersion ? parsed : {}",
        replace: 'isSection(parsed) && knownVersion ? parsed : {}',
      },
    ],
    killedBy: ['test/domain/receipts/receipts.test.ts'],
    named: '^(?:receipt view of) ',
  },
  {
    id: 'RC3',
    mistake: 'a receipt that the mail server refused is sent later all the same',
    patches: [
      {
        file: 'activities/mails.ts',
        find: '  if (receiptId !== null) return undefined;\n',
        replace: '',
      },
    ],
    killedBy: ['test/workflows/receipts/receipts.test.ts'],
    named: '^(?:receipt mail) ',
  },
  {
    id: 'RC4',
    mistake: 'a PDF of any number of pages is kept and mailed',
    patches: [
      {
        file: 'providers/documents/chromium-printer.ts',
        find: 'const mostPages = 100;',
        replace: 'const mostPages = 100_000;',
      },
    ],
    killedBy: ['test/providers/documents/chromium-printer.test.ts'],
  },
  {
    id: 'RC5',
    mistake: 'a browser is never ended, however often it has printed',
    patches: [
      {
        file: 'providers/documents/chromium-printer.ts',
        find: 'if (++browser.printed >= printsPerBrowser) browser.isLeaving = true;',
        replace: 'browser.printed++;',
      },
    ],
    killedBy: ['test/providers/documents/chromium-printer.test.ts'],
  },
  {
    id: 'RC6',
    mistake: 'the page of a German receipt answers in English',
    patches: [
      {
        file: 'api/receipts/page/visit-limits.ts',
        find: 'noticeText(view.locale, notice.said)',
        replace: "noticeText('en', notice.said)",
      },
    ],
    killedBy: ['test/api/receipts/page/page.test.ts'],
    named: '^(?:page languages) ',
  },
  {
    id: 'RC7',
    mistake: 'a stroke of a code is counted from where the last one began',
    patches: [{ file: 'providers/receipts/receipt-writer.ts', find: '    pen = end;', replace: '    pen = start;' }],
    killedBy: ['test/providers/receipts/bars.test.ts'],
    named: '^(?:squares) ',
  },
  {
    id: 'RC8',
    mistake: 'a document may take all of the machine’s memory',
    patches: [
      {
        file: 'providers/documents/chromium-printer.ts',
        find: '> mostMegabytes;',
        replace: '> 1_000 * mostMegabytes;',
      },
    ],
    killedBy: ['test/providers/documents/print-limits.test.ts'],
  },
  {
    id: 'RC9',
    mistake: 'a PDF of any size is kept and mailed',
    patches: [
      {
        file: 'providers/documents/chromium-printer.ts',
        find: 'const mostBytes = 5_000_000;',
        replace: 'const mostBytes = 500_000_000;',
      },
    ],
    killedBy: ['test/providers/documents/print-limits.test.ts'],
  },
  {
    id: 'RC10',
    mistake: 'where several prints were in a browser that grew too large, one is blamed for all',
    patches: [
      {
        file: 'providers/documents/chromium-printer.ts',
        find: 'browser.busy === 1 ?',
        replace: 'browser.busy > 0 ?',
      },
    ],
    killedBy: ['test/providers/documents/print-limits.test.ts'],
  },
  {
    id: 'RC11',
    mistake: 'a sender that another one replaced goes on holding the mail',
    patches: [
      {
        file: 'db/mails/conclude-mail.ts',
        find: `now()
  where mail_id = $mailId and tries = $tries and state = 'waiting'`,
        replace: `now()
  where mail_id = $mailId and (tries = $tries or true) and state = 'waiting'`,
      },
    ],
    killedBy: ['test/activities/mails/mails.test.ts'],
    named: '^(?:while held) ',
  },
  {
    id: 'RC12',
    mistake: 'a sender that another one replaced gives the mail up',
    patches: [
      {
        file: 'db/mails/conclude-mail.ts',
        find: "and ($state = 'sent' or tries = $tries)",
        replace: "and ($state = 'sent' or tries = $tries or true)",
      },
    ],
    killedBy: ['test/activities/mails/mails.test.ts'],
    named: '^(?:while held) ',
  },
  {
    id: 'RC13',
    mistake: 'a sender that cannot renew its hold sends on',
    patches: [
      {
        file: 'activities/mails.ts',
        find: 'setTimeout(() => lost.abort(), safeMs)',
        replace: 'setTimeout(() => undefined, safeMs)',
      },
    ],
    killedBy: ['test/activities/mails/mails.test.ts'],
    named: '^(?:while held) ',
  },
  {
    id: 'RC14',
    mistake: 'who finds the mail with another sender leaves it to the sweep',
    patches: [
      {
        file: 'activities/mails.ts',
        find: 'if (seconds === undefined) return (await',
        replace: 'if (seconds === undefined || receiptOfMail) return (await',
      },
    ],
    killedBy: ['test/workflows/mails/document-mail.test.ts'],
    named: '^(?:dead senders) ',
  },
  {
    id: 'RC15',
    mistake: 'the first receipt after a start waits for its browser',
    patches: [{ file: 'worker/create-worker.ts', find: '  void warm(parts.dependencies);\n', replace: '' }],
    killedBy: ['test/workflows/receipts/receipts.test.ts'],
    named: 'a worker has its browser ready',
  },
  {
    id: 'RC16',
    mistake: 'a mail gives up a browser that is slow to start',
    patches: [
      {
        file: 'workflows/support/activity-options.ts',
        find: `maximumInterval: '30 seconds' },\n};\n\n/** A look-up`,
        replace: `maximumInterval: '30 seconds', maximumAttempts: 3 },\n};\n\n/** A look-up`,
      },
    ],
    killedBy: ['test/workflows/receipts/receipts.test.ts'],
    named: 'the first receipt after a start',
  },
  {
    id: 'RC17',
    mistake: 'a mail that was left for long waits for its PDF anew',
    patches: [{ file: 'workflows/mails.ts', find: '  if (withinSeconds <= 0) return;\n', replace: '' }],
    killedBy: ['test/workflows/receipts/receipts.test.ts'],
    named: 'is not kept waiting for its PDF again',
  },
  {
    id: 'RC18',
    mistake: 'a label of another direction reorders the figures beside it',
    patches: [{ file: 'domain/beside.ts', find: 'texts.map(isolated)', replace: 'texts' }],
    killedBy: ['test/providers/receipts/directions.test.ts'],
  },
  {
    id: 'RC19',
    mistake: 'a mail to what is no address of one person is promised',
    patches: [
      {
        file: 'db/mails/post-document-mail.ts',
        find: 'isAskedFor && address && !isOneAddress(address)',
        replace: 'isAskedFor && address && isOneAddress("")',
      },
    ],
    killedBy: ['test/workflows/mails/document-mail.test.ts'],
    named: 'no mail is promised',
  },
  {
    id: 'RC20',
    mistake: 'the mail server decides what is one address',
    patches: [
      {
        file: 'activities/mails.ts',
        find: 'if (!isOneAddress(ready.to)) return',
        replace: 'if (!ready.to) return',
      },
    ],
    killedBy: ['test/activities/mails/mails.test.ts'],
    named: '^(?:mail activities) ',
  },
];
