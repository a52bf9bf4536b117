import type { Mutant } from './mutant.ts';

const refundActivities = 'test/activities/refunds/refund-activities.test.ts';
const returnActivities = 'test/activities/returns/return-activities.test.ts';
const attemptStates = 'test/domain/refunds/refund-attempt-state.test.ts';
const gateways = 'test/providers/gateways/simulated-gateways.test.ts';
const verbs = 'test/activities/returns/return-verbs.test.ts';
const wallet = 'test/db/store-credit/add-entry.test.ts';
const intents = 'test/db/refunds/refund-intent.test.ts';
const callOnce = 'test/workflows/refunds/call-once.test.ts';

/** Refunds, returns and wallets: where a mistake costs money. */
export const moneyMutants: readonly Mutant[] = [
  {
    id: 'M01',
    mistake: 'the gateway call is claimed without looking whether it was claimed before',
    patches: [
      {
        file: 'db/refunds/claim-refund-call.ts',
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
        file: 'providers/gateways/call-gateway.ts',
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
        file: 'providers/gateways/call-gateway.ts',
        find: 'if (remaining <= 0) return resolve(tooLate);',
        replace: '',
      },
      {
        file: 'providers/gateways/call-gateway.ts',
        find: 'if (call.deadline.remainingMs() <= 0) return end(tooLate);',
        replace: '',
      },
    ],
    killedBy: [gateways, 'test/providers/gateways/provider-a.test.ts'],
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
    mistake: 'a decided attempt is decided again by whoever comes later',
    patches: [
      {
        file: 'db/verdicts/record-finding.ts',
        find: 'if (isDecided(attempt.state)) return { state: attempt.state };',
        replace: '',
      },
      {
        file: 'domain/refunds/refund-attempt-state.ts',
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
        file: 'db/refunds/open-refund-attempt.ts',
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
        find: `if (state === 'failed') await releaseAttempt(em, order, attempt);`,
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
        file: 'db/refunds/open-refund-attempt.ts',
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
        find: 'if (attempt.endsIntent) rma',
        replace: `if (attempt.state === 'failed') rma`,
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
    killedBy: [refundActivities],
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
    killedBy: ['test/db/verdicts/book-attempt.test.ts'],
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
    killedBy: [refundActivities],
  },
  {
    id: 'M17',
    mistake: 'while a refund is uncertain another way to give the money back is open',
    patches: [{ file: 'db/returns/book-settlement.ts', find: 'await refuseWhileRefunding(em, rma);', replace: '' }],
    killedBy: [returnActivities],
  },
  {
    id: 'M18',
    mistake: 'an order is read without its lock',
    patches: [
      {
        file: 'db/platform/orders/lock-order.ts',
        find: ' for update of o, p`',
        replace: '`',
      },
      { file: 'db/returns/lock-return.ts', find: ' for update of o, p, r`', replace: '`' },
    ],
    killedBy: [returnActivities, verbs],
  },
  {
    id: 'M19',
    mistake: 'what was read before the lock is not read again',
    patches: [
      {
        file: 'db/returns/lock-return.ts',
        find: ' for update of o, p, r`',
        replace: ' and exists (select from sales_order x where x.entity_id = r.order_id for update)`',
      },
    ],
    killedBy: [returnActivities],
  },
  {
    id: 'M20',
    mistake: 'a closed return is settled once more',
    patches: [
      {
        file: 'db/returns/book-settlement.ts',
        find: 'isTerminal(rma.status) ? { status: rma.status } : settleLocked(',
        replace: 'isTerminal(rma.status) && false ? { status: rma.status } : settleLocked(',
      },
      { file: 'domain/returns/settle-rules.ts', find: 'settleable.includes(status)', replace: 'settleable.length > 0' },
    ],
    killedBy: [returnActivities],
  },
  {
    id: 'M21',
    mistake: 'any status may be settled, goods that are not in too',
    patches: [
      { file: 'domain/returns/settle-rules.ts', find: 'settleable.includes(status)', replace: 'settleable.length > 0' },
    ],
    killedBy: ['test/domain/returns/returns.test.ts', returnActivities],
  },
  {
    id: 'M22',
    mistake: 'open returns do not count for what may still come back',
    patches: [
      {
        file: 'domain/returns/eligibility.ts',
        find: 'minus(line.qtyInvoiced, line.qtyRefunded, line.qtyInReturns)',
        replace: 'minus(line.qtyInvoiced, line.qtyRefunded)',
      },
    ],
    killedBy: [returnActivities, 'test/domain/returns/returns.test.ts'],
  },
  {
    id: 'M23',
    mistake: 'a rival’s return with the same sale id is an error, not the answer',
    patches: [
      {
        file: 'db/returns/create-return.ts',
        find: 'if (existing) return reused(existing, wanted);',
        replace: 'void existing;',
      },
      {
        file: 'db/returns/create-return.ts',
        find: 'if (!(error instanceof UniqueConstraintViolationException) || wanted.posSaleId === null) throw error;',
        replace: 'if (UniqueConstraintViolationException.length >= 0 || wanted.posSaleId === null) throw error;',
      },
    ],
    killedBy: ['test/workflows/returns/return-flow.test.ts'],
    named: 'one sale id',
  },
  {
    id: 'M24',
    mistake: 'a close hands goods back while a refund is under way',
    patches: [
      {
        file: 'db/returns/close-return.ts',
        find: 'await refuseWhileRefunding(tx, rma);',
        replace: 'void refuseWhileRefunding;',
      },
    ],
    killedBy: [verbs],
  },
  {
    id: 'M25',
    mistake: 'a close repeated hands the goods back again',
    patches: [
      {
        file: 'db/returns/close-return.ts',
        find: `      await dropReturnNote(tx, noteId);
      return { status: rma.status };`,
        replace: '      await dropReturnNote(tx, noteId);',
      },
    ],
    killedBy: [verbs],
  },
  {
    id: 'M26',
    mistake: 'a cancelled refund is not looked at for one under way',
    patches: [
      {
        file: 'db/returns/cancel-refund.ts',
        find: 'await refuseWhileRefunding(tx, rma);',
        replace: 'void refuseWhileRefunding;',
      },
    ],
    killedBy: [verbs],
  },
  {
    id: 'M27',
    mistake: 'a deadlock reaches the client',
    patches: [
      {
        file: 'db/support/transact.ts',
        find: 'error instanceof DeadlockException && attempt < attempts',
        replace: 'error instanceof DeadlockException && attempt > attempts',
      },
    ],
    killedBy: ['test/db/support/transact.test.ts'],
  },
  {
    id: 'M28',
    mistake: 'the wallet is read without its lock',
    patches: [
      {
        file: 'db/store-credit/add-entry.ts',
        find: 'and w.website_id = $websiteId for update of w`',
        replace: 'and w.website_id = $websiteId`',
      },
    ],
    killedBy: [wallet],
  },
  {
    id: 'M29',
    mistake: 'an idempotency key is looked for across customers and operations',
    patches: [
      {
        file: 'db/store-credit/add-entry.ts',
        find: 'where e.wallet_id = $walletId and e.event_type = $eventType and e.${column} = $key`',
        replace:
          'where e.wallet_id >= least($walletId, 0) and e.event_type >= least($eventType, 0) and e.${column} = $key`',
      },
    ],
    killedBy: [wallet],
  },
  {
    id: 'M30',
    mistake: 'a repeat with a key is booked again',
    patches: [
      {
        file: 'db/credit-stores/post-entry.ts',
        find: 'if (known) return { account, entry: known, isRepeat: true };',
        replace: 'void known;',
      },
    ],
    killedBy: [wallet],
  },
  {
    id: 'M31',
    mistake: 'a balance may go below zero',
    patches: [
      { file: 'domain/store-credit/ledger.ts', find: 'if (balanceAfter < 0)', replace: 'if (balanceAfter < -1e15)' },
    ],
    killedBy: ['test/domain/store-credit/ledger.test.ts'],
  },
  {
    id: 'M32',
    mistake: 'money is rounded down',
    patches: [
      {
        file: 'domain/money/coins.ts',
        find: 'amount(scaleUnits(value, 1, 1, coin));',
        replace: 'amount(Math.floor(value / coin) * coin + scaleUnits(0, 1, 1, coin));',
      },
    ],
    killedBy: ['test/domain/money/amount.test.ts'],
  },
  {
    id: 'M32b',
    mistake: 'every currency has hundredths',
    patches: [
      {
        file: 'domain/money/coins.ts',
        find: 'currencyExponents[currencyCode.toUpperCase()] ?? usualExponent;',
        replace: "currencyCode === '' ? (currencyExponents['USD'] ?? 0) : usualExponent;",
      },
    ],
    killedBy: ['test/domain/money/coins.test.ts'],
  },
  {
    id: 'M32c',
    mistake: 'a memo is collected from figures finer than a coin',
    patches: [
      {
        file: 'domain/platform/credit-memos/credit-memo.ts',
        find: 'const order = inCoins(afterPendingMemos(stored));',
        replace: 'const order = stored.lines.length < 0 ? inCoins(stored) : afterPendingMemos(stored);',
      },
    ],
    killedBy: ['test/domain/platform/whole-coins.test.ts'],
  },
  {
    id: 'M33',
    mistake: 'two settles of one return meet, because a handler acts by itself',
    patches: [
      {
        file: 'workflows/returns/return-workflow.ts',
        find: `setHandler(settleUpdate, (request) => inbox.ask({ verb: 'settle', settle: request }), {`,
        replace: `setHandler(settleUpdate, (request) => carryOut(returnIdOfThis(), { verb: 'settle', settle: request }), {`,
      },
      {
        file: 'workflows/returns/return-workflow.ts',
        find: 'const showStatus = ',
        replace: `const returnIdOfThis = () => Number(workflowInfo().workflowId.split('-').at(-1));\nconst showStatus = `,
      },
    ],
    killedBy: ['test/workflows/replay.test.ts'],
  },
  {
    id: 'M34',
    mistake: 'an uncertain refund has no workflow that follows it',
    patches: [
      {
        file: 'workflows/refunds/conclude-attempt.ts',
        find: `if (state === 'uncertain') {`,
        replace: `if (state === 'uncertain' && attempt.attemptId < 0) {`,
      },
    ],
    killedBy: ['test/workflows/returns/return-flow.test.ts'],
    named: 'nobody can say',
  },
  {
    id: 'M35',
    mistake: 'a repeated request id is answered with its first outcome for ever',
    patches: [
      {
        file: 'api/temporal/connect-workflows.ts',
        find: `updateId: \`\${question.requestId}.\${randomBytes(4).toString('hex')}\``,
        replace: `updateId: question.requestId.slice(0, randomBytes(4).length * 16)`,
      },
    ],
    killedBy: ['test/workflows/returns/repeated-request.test.ts'],
  },
];
