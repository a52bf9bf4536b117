import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { askComposed } from '../../db/support/composed.ts';
import type { Invariant } from './invariant.ts';
import { creditMemoInvariants, invoiceInvariants, limboInvariants } from './invariants/credit-memos.ts';
import { closingInvariants } from './invariants/closings.ts';
import { creditInvariants, creditStoreInvariants, storeCreditInvariants } from './invariants/credits.ts';
import { moneyOutInvariants, orderInvariants } from './invariants/money-out.ts';
import { refundInvariants } from './invariants/refunds.ts';
import { eventInvariants } from './invariants/events.ts';
import { registerInvariants, telemetryInvariants } from './invariants/registers.ts';
import { layawayInvariants } from './invariants/layaways.ts';
import { returnInvariants } from './invariants/returns.ts';
import { gatewayInvariants, processInvariants } from './invariants/processes.ts';
import { growingCountInvariants, storedCountInvariants } from './invariants/counts.ts';
import { inventoryInvariants, catalogInvariants, cartInvariants } from './invariants/goods.ts';
import { guardInvariants, saveInvariants } from './invariants/saves.ts';

/** A refund in the gateway's own books, whatever the gateway answered. Money as decimal text. */
export interface GatewayRefund {
  idempotencyKey: string;
  amount: string;
  currency: string;
  /** The captured amount that the gateway knows for the payment; null when it knows none. */
  capturedAmount: string | null;
  paymentId: string | null;
  state: 'refunded' | 'declined';
}

/** One call of a refund route, with or without an answer. */
export interface GatewayCall {
  merchantReference: string;
}

/** What a gateway says it did, to compare with our books. */
export interface GatewayLedger {
  refunds: GatewayRefund[];
  calls: GatewayCall[];
}

/** The ledger as tables for one query; its only parameter is the ledger, in JSON. */
const ledgerTables = `
  with ledger as (select $1::jsonb as document),
  gateway_refund as (
    select r.* from ledger, jsonb_to_recordset(document -> 'refunds') as r(
      "idempotencyKey" text, amount numeric, currency text, "capturedAmount" numeric, "paymentId" text, state text)
  ),
  gateway_call as (
    select c.* from ledger, jsonb_to_recordset(document -> 'calls') as c("merchantReference" text)
  )`;

/** Every rule that the present tables can break. */
export const invariants: readonly Invariant[] = [
  ...orderInvariants,
  ...saveInvariants,
  ...moneyOutInvariants,
  ...cartInvariants,
  ...layawayInvariants,
  ...invoiceInvariants,
  ...creditMemoInvariants,
  ...refundInvariants,
  ...returnInvariants,
  ...processInvariants,
  ...catalogInvariants,
  ...inventoryInvariants,
  ...registerInvariants,
  ...closingInvariants,
  ...telemetryInvariants,
  ...growingCountInvariants,
  ...storedCountInvariants,
  ...storeCreditInvariants,
  ...creditInvariants,
  ...creditStoreInvariants,
  ...limboInvariants,
  ...guardInvariants,
  ...eventInvariants,
];

export type Offender = Record<string, unknown>;

/** A rule that is broken, with the first rows that break it. */
export interface Finding {
  id: string;
  sentence: string;
  rows: Offender[];
  /** There are more rows than these; they were not counted. */
  hasMore: boolean;
}

export interface VerifyOptions {
  /** Reads the gateway's own records; without it only our books are checked. */
  readLedger?: () => Promise<GatewayLedger>;
  /** The pause before a rule is checked again that work in progress may break. */
  lookAgainAfterMs?: number;
  /** Hears of each rule before it is checked: with years of sales one may take minutes. */
  tell?: (howFar: string) => void;
}

/** How many rows of a broken rule are reported; one more is read to know whether there are more. */
const rowsShown = 50;
const looksAgain = 3;

/**
 * Checks every rule of the books, and with a ledger also compares them with the gateway's; reads only.
 *
 * The rules that work in progress may break for a moment are then checked up to three more times, together. Only rows
 * that break them each time are reported.
 *
 * @returns the broken rules; empty when the books are right
 */
export async function verify(em: EntityManager, options: VerifyOptions = {}): Promise<Finding[]> {
  const { readLedger, lookAgainAfterMs = 1_000, tell } = options;
  const rules = [
    ...invariants.map((invariant) => ({ invariant, ask: () => offenders(em, invariant) })),
    ...(readLedger ? gatewayInvariants : []).map((invariant) => ({
      invariant,
      ask: async () => offenders(em, invariant, await readLedger?.()),
    })),
  ];
  const broken = [];
  for (const [at, { invariant, ask }] of rules.entries()) {
    tell?.(`rule ${at + 1} of ${rules.length}: ${invariant.id}`);
    const rows = await ask();
    if (rows.length > 0) broken.push({ invariant, ask, rows, hasMore: rows.length > rowsShown });
  }
  for (let again = 0; again < looksAgain; again++) {
    const unsure = broken.filter(({ invariant, rows }) => invariant.needsQuiet && rows.length > 0);
    if (unsure.length === 0) break;
    await pause(lookAgainAfterMs);
    for (const one of unsure) one.rows = inBoth(one.rows, await one.ask());
  }
  return broken
    .filter(({ rows }) => rows.length > 0)
    .map(({ invariant: { id, sentence }, rows, hasMore }) => ({
      ...{ id, sentence, hasMore },
      rows: rows.slice(0, rowsShown),
    }));
}

/**
 * How many credit memos were only written down (`POST /V1/creditmemo`): they moved no money, and the rules leave them
 * out.
 */
export async function countSavedMemos(em: EntityManager): Promise<number> {
  const sql = `select count(*)::int as memos from sales_creditmemo where figures_from = 'save'`;
  const [row] = await askComposed<{ memos: number }>(em, { sql, parameters: [] });
  return row?.memos ?? 0;
}

/** A wrong "refunded" that nobody has put right yet: the books are right, and somebody owes a customer money. */
export interface OpenCase {
  case_id: number;
  attempt_id: number;
  order_number: string;
  amount: string;
  currency: string;
  first_by: string;
  second_by: string;
  opened_at: string;
}

/** Cases of the operator's page without a proof, the oldest first. */
export const openCases = (em: EntityManager): Promise<OpenCase[]> =>
  askComposed<OpenCase>(em, {
    sql: `select c.case_id, c.attempt_id, o.increment_id as order_number, c.amount::text as amount,
      c.currency_code as currency,
        c.first_by, c.second_by, to_char(c.opened_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as opened_at
      from refund_case c join refund_attempt a on a.attempt_id = c.attempt_id
        join sales_order o on o.entity_id = a.order_id
      where c.closed_at is null order by c.opened_at limit ${rowsShown}`,
    parameters: [],
  });

const offenders = (em: EntityManager, { sql }: Invariant, ledger?: GatewayLedger) =>
  askComposed<Offender>(em, {
    sql: `${ledger ? ledgerTables : ''} select * from (${sql}) as offender limit ${rowsShown + 1}`,
    parameters: ledger ? [JSON.stringify(ledger)] : [],
  });

function inBoth(earlier: Offender[], later: Offender[]): Offender[] {
  const seen = new Set(earlier.map((row) => JSON.stringify(row)));
  return later.filter((row) => seen.has(JSON.stringify(row)));
}
