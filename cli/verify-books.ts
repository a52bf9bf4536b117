import { amountText } from '../books/explain/amount-text.ts';
import { gatewayInvariants } from '../books/verify/invariants/gateway.ts';
import { invariants } from '../books/verify/invariants.ts';
import {
  countSavedMemos,
  openCases,
  verify,
  type OpenCase,
  type Finding,
  type Offender,
} from '../books/verify/verify.ts';
import { keepCheck } from '../db/ops/books-checks.ts';
import type { Answer } from './support/answer.ts';
import { operator } from './support/operator.ts';
import { readGatewayLedger } from './support/read-gateway-ledger.ts';
import type { CommandContext } from './support/command-context.ts';

/** How many rows of each rule are shown; `--json` has all that `verify` returns. */
const rowsShown = 10;

/**
 * `verify`: checks every rule of the books, and with a gateway simulator also compares our refunds with its own
 * records.
 *
 * Reads only, unless its result is kept for the operator's page. It fails when a rule is broken, or when the gateway does not answer.
 */
export async function verifyBooks(
  { em, settings }: CommandContext,
  { lookAgainAfterMs = 1_000, keep = false } = {},
): Promise<Answer> {
  const url = settings.GATEWAY_SIMULATOR_URL;
  const isAway =
    url !== undefined &&
    !(await readGatewayLedger(url).then(
      () => true,
      () => false,
    ));
  const asksGateway = url !== undefined && !isAway;
  const findings = await verify(await em(), {
    lookAgainAfterMs,
    ...(asksGateway ? { readLedger: () => readGatewayLedger(url) } : {}),
  });
  const rules = invariants.length + (asksGateway ? gatewayInvariants.length : 0);
  if (keep) {
    const kept = findings.map(({ id, sentence, rows }) => ({ id, sentence, rows: rows.length }));
    await keepCheck((await em()).fork(), { checkedBy: operator().staffName ?? 'pos', rules, findings: kept });
  }
  const savedMemos = await countSavedMemos(await em());
  const cases = await openCases(await em());
  return {
    text: [
      summary(rules, findings),
      ...(savedMemos > 0 ? [writtenDown(savedMemos)] : []),
      ...(isAway ? [away(url)] : []),
      ...cases.map(describeCase),
      ...findings.flatMap(describeFinding),
    ].join('\n'),
    json: {
      ok: findings.length === 0 && !isAway,
      rules,
      gateway: url === undefined ? null : !isAway,
      saved_memos: savedMemos,
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
