import type { Mutant } from './mutant.ts';

const limits = 'test/api/receipts/page/visit-limits.test.ts';
const pages = 'test/api/receipts/page/receipt-pages.test.ts';
const claims = 'test/db/receipts/claim-receipt.test.ts';
const onPage = 'test/api/receipts/page/claim-on-page.test.ts';

const limit = (id: string, mistake: string, find: string, replace: string): Mutant => ({
  id,
  mistake,
  patches: [{ file: 'api/receipts/page/visit-limits.ts', find, replace }],
  killedBy: [limits],
});

/** Receipts as their holders meet them: the public page, its limits, the claim. */
export const receiptMutants: readonly Mutant[] = [
  limit('RC01', 'an eleventh request is let in', 'const mostRequests = 10;', 'const mostRequests = 11;'),
  limit(
    'RC02',
    'all actions share one limit',
    'name: `receipt ${action} ${address} ${tokenDigest}`',
    'name: `receipt ${action && address} ${tokenDigest}`',
  ),
  limit(
    'RC03',
    'one receipt has one limit for everybody',
    'name: `receipt ${action} ${address} ${tokenDigest}`',
    'name: `receipt ${action} ${address && tokenDigest}`',
  ),
  limit(
    'RC04',
    'mails of one address are not counted',
    'const mostMailsOfAddress = 20;',
    'const mostMailsOfAddress = 2_000;',
  ),
  limit(
    'RC05',
    'mails of one receipt are not counted',
    'const mostMailsOfReceipt = 10;',
    'const mostMailsOfReceipt = 1_000;',
  ),
  limit(
    'RC06',
    'a mail that one limit refuses counts in another',
    'if (!(await countAttempt(em, buckets))) throw tooMany();',
    'for (const bucket of buckets) if (!(await countAttempt(em, [bucket]))) throw tooMany();',
  ),
  {
    id: 'RC07',
    mistake: 'pages may pass their address on',
    patches: [
      { file: 'api/support/security-headers.ts', find: `  ['Referrer-Policy', 'no-referrer'],\n`, replace: '' },
    ],
    killedBy: [pages],
  },
  {
    id: 'RC08',
    mistake: 'a refusal is a page without the headers of the others',
    patches: [
      {
        file: 'api/receipts/page/write-visit.ts',
        find: '  const { status } = refusal;\n  setAll(ctx, headers);\n',
        replace: '  const { status } = refusal;\n',
      },
    ],
    killedBy: [pages],
  },
  {
    id: 'RC09',
    mistake: 'a claim decides by what it read before the lock',
    patches: [
      {
        file: 'db/receipts/claim-receipt.ts',
        find: '  return transact(em, async (tx) => {\n',
        replace: '  const receipt = await reread.first(em, { tokenDigest });\n  return transact(em, async (tx) => {\n',
      },
      {
        file: 'db/receipts/claim-receipt.ts',
        find: '    const receipt = await reread.first(tx, { tokenDigest });\n',
        replace: '',
      },
    ],
    killedBy: [claims],
  },
  {
    id: 'RC10',
    mistake: 'a save hands a claimed order to somebody else',
    patches: [
      {
        file: 'api/wiring.ts',
        find: '  keepClaimedCustomer,\n  createReceiptLinker',
        replace: '  createReceiptLinker',
      },
    ],
    killedBy: [onPage],
  },
  {
    id: 'RC11',
    mistake: 'a wrong password says so, an unknown address something else',
    patches: [
      {
        file: 'api/support/sign-in.ts',
        find: 'if (!isCounted.value || !guess.value || !user) throw signInRefused();',
        replace: `if (!user) throw unauthorized('There is no such account.');
  if (!isCounted.value || !guess.value) throw signInRefused();`,
      },
    ],
    killedBy: [onPage],
  },
];
