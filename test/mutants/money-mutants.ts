import type { Mutant } from './mutant.ts';

const booksRefuse = 'test/activities/refunds/refunds.test.ts';
const refundActivities = 'test/activities/refunds/refunds.test.ts';
const returnActivities = 'test/activities/returns/return-activities.test.ts';
const attemptStates = 'test/domain/refunds/refunds.test.ts';
const gateways = 'test/providers/gateways/gateways.test.ts';
const verbs = 'test/activities/returns/create-return.test.ts';
const intents = 'test/db/refunds/refund-intent.test.ts';
const callOnce = 'test/workflows/refunds/refunds.test.ts';

/** Refunds, returns and wallets: where a mistake costs money. */
export const moneyMutants: readonly Mutant[] = [
  {
    id: 'M01',
    mistake: 'the gateway call is claimed without looking whether it was claimed before',
    patches: [
      {
        file: 'db/refunds/refund-intent.ts',
        find: `and a.state = 'started' and a.call_started_at is null and`,
        replace: 'and',
      },
    ],
    killedBy: [refundActivities],
  },
  {
    id: 'M02',
    mistake: 'Temporal may run the gateway call twice',
    patches: [
      {
        file: 'workflows/refunds/conclude-attempt.ts',
        find: 'retry: { maximumAttempts: 1 }',
        replace: 'retry: { maximumAttempts: 2 }',
      },
    ],
    killedBy: [callOnce],
  },
  {
    id: 'M03',
    mistake: 'a gateway that does not answer in time is taken for a no',
    patches: [
      {
        file: 'providers/gateways/findings.ts',
        find: `  evidence: 'unknown',\n  gatewayOutcome: 'timeout',`,
        replace: `  evidence: 'not_refunded',\n  isFinal: true,\n  gatewayOutcome: 'timeout',`,
      },
    ],
    killedBy: [gateways],
  },
  {
    id: 'M04',
    mistake: 'an answer nobody documented is taken for a no',
    patches: [
      {
        file: 'providers/gateways/findings.ts',
        find: `  evidence: 'unknown',\n  gatewayOutcome: \`http_`,
        replace: `  evidence: 'not_refunded',\n  isFinal: true,\n  gatewayOutcome: \`http_`,
      },
    ],
    killedBy: [gateways],
  },
  {
    id: 'M05',
    mistake: 'a connection that broke is taken for a call that was never sent',
    patches: [
      {
        file: 'providers/gateways/findings.ts',
        find: 'end(isSent ? lost(codeOf(error)) : unreachable(codeOf(error)))',
        replace: 'end(isSent && lost.length === 0 ? lost(codeOf(error)) : unreachable(codeOf(error)))',
      },
    ],
    killedBy: [gateways],
  },
  {
    id: 'M06',
    mistake: 'the deadline is not looked at again before the call is sent',
    patches: [
      {
        file: 'providers/gateways/findings.ts',
        find: 'if (remaining <= 0) return resolve(tooLate);',
        replace: '',
      },
      {
        file: 'providers/gateways/findings.ts',
        find: 'if (call.deadline.remainingMs() <= 0) return end(tooLate);',
        replace: '',
      },
    ],
    killedBy: [gateways, 'test/providers/gateways/gateways.test.ts'],
  },
  {
    id: 'M07',
    mistake: 'a look-up’s no is believed at once',
    patches: [
      {
        file: 'domain/refunds/refund-finding.ts',
        find: `if (finding.evidence !== 'not_refunded' || from === undefined)`,
        replace: 'if (from !== null)',
      },
    ],
    killedBy: [attemptStates],
  },
  {
    id: 'M08',
    mistake: 'a first no is enough, no second look-up confirms it',
    patches: [
      {
        file: 'domain/refunds/refund-finding.ts',
        find: 'firstNotFoundAt === null ? never : later(firstNotFoundAt)',
        replace: 'firstNotFoundAt === null ? isOver : later(firstNotFoundAt)',
      },
    ],
    killedBy: [attemptStates, refundActivities],
  },
  {
    id: 'M09',
    mistake: 'a decided attempt is decided again by a later call',
    patches: [
      {
        file: 'db/verdicts/record-finding.ts',
        find: 'if (isDecided(attempt.state)) return { state: attempt.state, ...whyFailed(attempt) };',
        replace: '',
      },
      {
        file: 'domain/refunds/refund-finding.ts',
        find: 'return isDecided(state) ? state : becomes[evidence];',
        replace: 'return becomes[evidence];',
      },
    ],
    killedBy: [attemptStates, refundActivities],
  },
  {
    id: 'M10',
    mistake: 'a refund under way does not keep its money from others',
    patches: [
      {
        file: 'db/refunds/refund-intent.ts',
        find: 'order.basePendingRefund = add(order.basePendingRefund,',
        replace: 'void add(order.basePendingRefund,',
      },
    ],
    killedBy: [returnActivities, refundActivities, verbs],
  },
  {
    id: 'M11',
    mistake: 'a failed attempt does not give its money free',
    patches: [
      {
        file: 'db/verdicts/record-finding.ts',
        find: `if (state === 'failed' && attempt.headAttemptId === null) await releaseAttempt(em, order, attempt);`,
        replace: '',
      },
    ],
    killedBy: [refundActivities],
  },
  {
    id: 'M12',
    mistake: 'every attempt has an idempotency key of its own',
    patches: [
      {
        file: 'db/refunds/refund-intent.ts',
        find: 'idempotencyKey: `${intentOf(rma)}-',
        replace: 'idempotencyKey: `${Date.now()}${intentOf(rma)}-',
      },
    ],
    killedBy: [intents],
  },
  {
    id: 'M13',
    mistake: 'the intent moves on after every failure, a doubtful one too',
    patches: [
      {
        file: 'db/verdicts/record-finding.ts',
        find: 'if (attempt.endsIntent && attempt.lineId === null) rma',
        replace: `if (attempt.state === 'failed' && attempt.lineId === null) rma`,
      },
    ],
    killedBy: [intents],
  },
  {
    id: 'M14',
    mistake: 'a memo that the books refuse after the gateway refunded is a plain error',
    patches: [
      {
        file: 'db/verdicts/record-finding.ts',
        find: 'if (!(error instanceof Unbookable)) throw error;',
        replace: 'if (!(error instanceof Unbookable) || error !== undefined) throw error;',
      },
    ],
    killedBy: [booksRefuse],
  },
  {
    id: 'M15',
    mistake: 'the memo is booked as planned, not as the gateway refunded',
    patches: [
      {
        file: 'db/verdicts/book-attempt.ts',
        find: 'request: asRefunded(order, attempt, shipping),',
        replace:
          'request: asRefunded.length > 0 ? plannedMemo(attempt.plan, order) : asRefunded(order, attempt, shipping),',
      },
    ],
    killedBy: ['test/db/verdicts/verdicts.test.ts'],
    named: '^(?:book attempt) ',
  },
  {
    id: 'M16',
    mistake: 'the attempt does not remember its memo',
    patches: [
      {
        file: 'db/verdicts/book-attempt.ts',
        find: 'attempt.creditMemoId = memo.entityId;',
        replace: 'void memo.entityId;',
      },
    ],
    killedBy: [refundActivities, booksRefuse],
  },
];
