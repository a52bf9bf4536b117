import type { Mutant } from './mutant.ts';

const opening = 'test/db/refunds/refund-intent.test.ts';
const flow = 'test/workflows/document-refunds-in-trouble.test.ts';
const trouble = 'test/workflows/document-refunds-in-trouble.test.ts';

/** Refunds of invoices through their gateway: asked for by a route, made by a worker. */
export const documentMutants: readonly Mutant[] = [
  {
    id: 'DC01',
    mistake: 'a refund of an invoice begins after its caller was told that nothing happens',
    patches: [
      {
        file: 'db/refunds/document-refunds.ts',
        find: 'await refuseTooLate(tx, refund.beginBefore);',
        replace: '',
      },
    ],
    killedBy: [opening],
  },
  {
    id: 'DC02',
    mistake: 'a repeat of a request does not find what the first run wrote',
    patches: [
      {
        file: 'db/refunds/document-refunds.ts',
        find: 'if (known) return known;',
        replace: '',
      },
    ],
    killedBy: [opening],
  },
  {
    id: 'DC03',
    mistake: 'an attempt that was given up before its call answers every repeat',
    patches: [
      {
        file: 'db/refunds/read-document-refund.ts',
        find: "and (a.state <> 'failed' or a.call_started_at is not null)",
        replace: '',
      },
    ],
    killedBy: [opening],
  },
  {
    id: 'DC04',
    mistake: 'a memo that was booked without an attempt is booked again by a repeat',
    patches: [
      {
        file: 'db/refunds/document-refunds.ts',
        find: `operationKey,
        ...comment,`,
        replace: `        operationKey: \`\${operationKey}-\${Date.now()}\`,
        ...comment,`,
      },
    ],
    killedBy: [opening],
  },
  {
    id: 'DC05',
    mistake: 'a comment on a document can be read in Temporal',
    patches: [
      {
        file: 'db/refunds/sealed-remark.ts',
        find: 'box.seal(JSON.stringify(remark), purpose)',
        replace: 'JSON.stringify(remark)',
      },
      {
        file: 'db/refunds/sealed-remark.ts',
        find: 'box.open(sealed, purpose)',
        replace: 'sealed',
      },
    ],
    killedBy: [flow],
    named: 'stands in the books and not in Temporal',
  },
  {
    id: 'DC06',
    mistake: 'a refund that nobody waits for is made when its run is taken up',
    patches: [
      {
        file: 'workflows/document-refunds.ts',
        find: 'if (isClaimed) {',
        replace: 'if (attemptId !== null) {',
      },
    ],
    killedBy: [trouble],
    named: 'is given up',
  },
  {
    id: 'DC07',
    mistake: 'a caller gets an uncertain answer while the gateway is still answering',
    patches: [
      {
        file: 'api/refunds/preview-refund.ts',
        find: "if (found && found.state !== 'started') return found;",
        replace: 'if (found) return found;',
      },
    ],
    killedBy: [trouble],
    named: 'slower than a transaction',
  },
];
