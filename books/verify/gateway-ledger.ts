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
export const ledgerTables = `
  with ledger as (select $1::jsonb as document),
  gateway_refund as (
    select r.* from ledger, jsonb_to_recordset(document -> 'refunds') as r(
      "idempotencyKey" text, amount numeric, currency text, "capturedAmount" numeric, "paymentId" text, state text)
  ),
  gateway_call as (
    select c.* from ledger, jsonb_to_recordset(document -> 'calls') as c("merchantReference" text)
  )`;
