import { z } from 'zod';
import { amountText } from '../books/explain/english-story.ts';
import { gatewayInvariants } from '../books/verify/invariants/processes.ts';
import {
  countSavedMemos,
  invariants,
  openCases,
  verify,
  type Finding,
  type GatewayLedger,
  type Offender,
  type OpenCase,
} from '../books/verify/verify.ts';
import { keepCheck } from '../db/ops/books-checks.ts';
import { findReceiptDifferences } from '../db/receipts/receipt-differences.ts';
import { usualDays } from './receipt-differences.ts';
import { operator, type Answer, type CommandContext } from './support.ts';

/** The simulator answers in milliseconds; after this time it counts as away. */
const patienceMs = 5_000;

const refundsSchema = z.array(
  z.object({
    idempotency_key: z.string(),
    amount: z.string(),
    currency: z.string(),
    captured_amount: z.string().nullable(),
    payment_id: z.string().nullable(),
    state: z.enum(['refunded', 'declined']),
  }),
);
const callsSchema = z.array(z.object({ merchant_reference: z.string() }));

/** The gateway simulator's own records. Throws when it does not answer, or answers something else. */
export async function readGatewayLedger(url: string): Promise<GatewayLedger> {
  const [refunds, calls] = await Promise.all([get(`${url}/refunds`, refundsSchema), get(`${url}/calls`, callsSchema)]);
  return {
    refunds: refunds.map((refund) => ({
      idempotencyKey: refund.idempotency_key,
      amount: refund.amount,
      currency: refund.currency,
      capturedAmount: refund.captured_amount,
      paymentId: refund.payment_id,
      state: refund.state,
    })),
    calls: calls.map((call) => ({ merchantReference: call.merchant_reference })),
  };
}

async function get<Schema extends z.ZodType>(url: string, schema: Schema): Promise<z.output<Schema>> {
  const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return schema.parse(await response.json());
}

/** With years of sales a rule takes minutes: whoever waits hears that it goes on. */
const quietMs = 5_000;

/** How many rows of each rule are shown; `--json` has all that `verify` returns. */
const rowsShown = 10;

/**
 * `verify`: checks every rule of the books, and with a gateway simulator also compares our refunds with its own
 * records.
 *
 * Reads only, unless its result is kept for the operator's page. It fails when a rule is broken, or when the gateway
 * does not answer.
 */
export async function verifyBooks(
  { em, settings }: CommandContext,
  {
    lookAgainAfterMs = 1_000,
    keep = false,
    say = (line: string): void => void process.stderr.write(`${line}\n`),
    clock = Date.now,
  } = {},
): Promise<Answer> {
  const url = settings.GATEWAY_SIMULATOR_URL;
  const isAway =
    url !== undefined &&
    !(await readGatewayLedger(url).then(
      () => true,
      () => false,
    ));
  const asksGateway = url !== undefined && !isAway;
  let saidAt = clock();
  const findings = await verify(await em(), {
    lookAgainAfterMs,
    tell: (howFar) => {
      if (clock() - saidAt < quietMs) return;
      saidAt = clock();
      say(`… ${howFar}`);
    },
    ...(asksGateway ? { readLedger: () => readGatewayLedger(url) } : {}),
  });
  const rules = invariants.length + (asksGateway ? gatewayInvariants.length : 0);
  if (keep) await keepCheck((await em()).fork(), { checkedBy: operator().staffName ?? 'pos', rules, findings });
  const savedMemos = await countSavedMemos(await em());
  const [difference] = await findReceiptDifferences(await em(), { days: usualDays, limit: 1 });
  const differences = difference?.total ?? 0;
  const cases = await openCases(await em());
  return {
    text: [
      summary(rules, findings),
      ...(savedMemos > 0 ? [writtenDown(savedMemos)] : []),
      ...(differences > 0 ? [storedAsSent(differences)] : []),
      ...(isAway ? [away(url)] : []),
      ...cases.map(describeCase),
      ...findings.flatMap(describeFinding),
    ].join('\n'),
    json: {
      ok: findings.length === 0 && !isAway,
      rules,
      gateway: url === undefined ? null : !isAway,
      saved_memos: savedMemos,
      receipt_differences: differences,
      open_cases: cases,
      findings,
    },
    isFine: findings.length === 0 && !isAway,
  };
}

const summary = (rules: number, findings: readonly Finding[]) =>
  findings.length === 0
    ? `The books are right: all ${rules} rules hold.`
    : `The books are wrong: ${findings.length} of ${rules} rules do not hold.`;

const writtenDown = (memos: number) =>
  `Credit memos that were only written down (POST /V1/creditmemo): ${memos}. They moved no money, and no rule counts them.`;

const storedAsSent = (differences: number) =>
  `Receipts and orders of the last ${usualDays} days that differ, or are finer than a coin: ${differences}. They are stored as sent; \`pos receipts differences\` lists them.`;

const describeCase = (one: OpenCase) =>
  `Open case ${one.case_id}: ${one.first_by} said that refund ${one.attempt_id} of order ${one.order_number} went back, ${one.second_by} says it did not. Hand back ${amountText(one.amount, one.currency)}, then close it on the page /ops.`;

const away = (url: string) => `The gateway at ${url} does not answer, so our refunds were not compared with its own.`;

const describeFinding = ({ id, sentence, rows, hasMore }: Finding) => [
  '',
  `${id}  ${sentence}`,
  ...rows.slice(0, rowsShown).map((row) => `  ${rowText(row)}`),
  ...(rows.length > rowsShown ? [`  and ${hasMore ? 'at least ' : ''}${rows.length - rowsShown} more`] : []),
];

const rowText = (row: Offender) =>
  Object.entries(row)
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
