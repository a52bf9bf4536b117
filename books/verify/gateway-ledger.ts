/** A refund as the gateway has it on its books, whatever it answered. Money as decimal text. */
export interface GatewayRefund {
  idempotencyKey: string;
  amount: string;
  currency: string;
  /** What the gateway holds captured for the payment, or what it was told; null when neither. */
  capturedAmount: string | null;
  paymentId: string | null;
  state: 'refunded' | 'declined';
}

/** One call of a refund route, answered or not. */
export interface GatewayCall {
  merchantReference: string;
}

/** What a gateway says it really did, to lay beside our books. */
export interface GatewayLedger {
  refunds: GatewayRefund[];
  calls: GatewayCall[];
}

/** The ledger as tables for one query; takes the ledger as its one parameter, in JSON. */
export const ledgerTables = `
  with ledger as (select $1::jsonb as document),
  gateway_refund as (
    select r.* from ledger, jsonb_to_recordset(document -> 'refunds') as r(
      "idempotencyKey" text, amount numeric, currency text, "capturedAmount" numeric, "paymentId" text, state text)
  ),
  gateway_call as (
    select c.* from ledger, jsonb_to_recordset(document -> 'calls') as c("merchantReference" text)
  )`;
