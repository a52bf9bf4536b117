import type { Mutant } from './mutant.ts';

const limits = 'test/api/receipts/page/page.test.ts';
const pages = 'test/api/receipts/page/page.test.ts';
const claims = 'test/db/receipts/claim-receipt.test.ts';
const onPage = 'test/api/receipts/page/page.test.ts';

const limit = (id: string, mistake: string, find: string, replace: string): Mutant => ({
  id,
  mistake,
  patches: [{ file: 'api/receipts/page/visit-limits.ts', find, replace }],
  killedBy: [limits],
});

/** Receipts as their holders meet them: the public page, its limits, the claim. */
export const receiptPageMutants: readonly Mutant[] = [
  limit('RP01', 'an eleventh request is let in', 'const mostRequests = 10;', 'const mostRequests = 11;'),
  limit(
    'RP02',
    'all actions share one limit',
    'name: `receipt ${action} ${address} ${tokenDigest}`',
    'name: `receipt ${action && address} ${tokenDigest}`',
  ),
  limit(
    'RP03',
    'one receipt has one limit for everybody',
    'name: `receipt ${action} ${address} ${tokenDigest}`',
    'name: `receipt ${action} ${address && tokenDigest}`',
  ),
  limit(
    'RP04',
    'mails of one address are not counted',
    'const mostMailsOfAddress = 20;',
    'const mostMailsOfAddress = 2_000;',
  ),
  limit(
    'RP05',
    'mails of one receipt are not counted',
    'const mostMailsOfReceipt = 10;',
    'const mostMailsOfReceipt = 1_000;',
  ),
  limit(
    'RP06',
    'a mail that one limit refuses counts in another',
    'if (!(await countAttempt(em, buckets))) throw tooMany();',
    'for (const bucket of buckets) if (!(await countAttempt(em, [bucket]))) throw tooMany();',
  ),
  {
    id: 'RP12',
    mistake: 'a look at a receipt beyond its limit is let in',
    patches: [
      {
        file: 'db/receipts/read-receipt-view.ts',
        find: 'return row.isCounted ? viewOf',
        replace: 'return row ? viewOf',
      },
    ],
    killedBy: [limits],
  },
  {
    id: 'RP13',
    mistake: 'a receipt of one of two orders with its number is given away by chance',
    patches: [
      {
        file: 'db/receipts/claim-receipt.ts',
        find: '  if (asGood !== null && asGood > 1) throw ofSeveralOrders();\n',
        replace: '',
      },
    ],
    killedBy: [claims],
  },
  {
    id: 'RP07',
    mistake: 'pages may pass their address on',
    patches: [{ file: 'api/http/write-answer.ts', find: `  ['Referrer-Policy', 'no-referrer'],\n`, replace: '' }],
    killedBy: [pages],
  },
  {
    id: 'RP08',
    mistake: 'a refusal is a page without the headers of the others',
    patches: [
      {
        file: 'api/receipts/page/visit-limits.ts',
        find: '  const { status } = refusal;\n  setAll(ctx, everywhere);\n',
        replace: '  const { status } = refusal;\n',
      },
    ],
    killedBy: [pages],
  },
  {
    id: 'RP09',
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
    id: 'RP10',
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
    id: 'RP11',
    mistake: 'a wrong password says so, an unknown address something else',
    patches: [
      {
        file: 'api/http/sign-in.ts',
        find: 'if (!isCounted.value || !guess.value || !user) throw signInRefused();',
        replace: `if (!user) throw unauthorized('There is no such account.');
  if (!isCounted.value || !guess.value) throw signInRefused();`,
      },
    ],
    killedBy: [onPage],
  },
];
