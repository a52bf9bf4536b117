import type { Mutant } from './mutant.ts';

/** What must not happen quietly on a receipt that a shopper reads. */
export const receiptMutants: readonly Mutant[] = [
  {
    id: 'M44',
    mistake: 'a template writes what it is given without escaping it',
    patches: [{ file: 'providers/receipts/templates.ts', find: '  noEscape: false,', replace: '  noEscape: true,' }],
    killedBy: ['test/providers/receipts/render-receipt.test.ts'],
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
    killedBy: ['test/providers/receipts/own-template.test.ts'],
  },
  {
    id: 'RC2',
    mistake: 'a document of a version nobody knows is shown',
    patches: [
      {
        file: 'domain/receipts/receipt-model.ts',
        find: "isSection(parsed) && Number(parsed['schema_version']) === knownVersion ? parsed : {}",
        replace: 'isSection(parsed) && knownVersion ? parsed : {}',
      },
    ],
    killedBy: ['test/domain/receipts/receipt-view-of.test.ts'],
  },
  {
    id: 'RC3',
    mistake: 'a receipt that the mail server refused is sent later all the same',
    patches: [
      {
        file: 'activities/mails/mail-activities.ts',
        find: '  if (receiptId !== null) return undefined;\n',
        replace: '',
      },
    ],
    killedBy: ['test/workflows/receipts/receipt-mail.test.ts'],
  },
];
