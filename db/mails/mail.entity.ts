import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { mailKinds, mailStates } from '../../domain/mails/mail-life.ts';
import { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import { Receipt } from '../receipts/receipt.entity.ts';
import { RefundAttempt } from '../refunds/refund-attempt.entity.ts';
import { timestamps } from '../support/timestamps.ts';

/**
 * A mail that is to be sent: written in the transaction of what it tells of, so that a crash loses none and a repeat makes
 * no second. No text is kept, and no address but the one that a receipt was asked for: sealed, and only until it is out.
 */
export const Mail = defineEntity({
  name: 'Mail',
  tableName: 'mail_outbox',
  properties: {
    mailId: p.integer().primary().autoincrement(),
    /** What it tells of, once: `refund-42`, `uncertain-refund-7`. Part of its Message-ID. */
    mailKey: p.string().length(64).unique(),
    kind: p.enum(mailKinds),
    creditMemoId: () =>
      p.manyToOne(CreditMemo).mapToPk().fieldName('credit_memo_id').index().deleteRule('cascade').nullable(),
    attemptId: () =>
      p.manyToOne(RefundAttempt).mapToPk().fieldName('attempt_id').index().deleteRule('cascade').nullable(),
    receiptId: () => p.manyToOne(Receipt).mapToPk().fieldName('receipt_id').index().deleteRule('cascade').nullable(),
    /** Whom a receipt goes to; gone once it is sent or dropped. */
    sealedTo: p.text().hidden().nullable(),
    state: p.enum(mailStates).default('waiting'),
    tries: p.integer().default(0),
    /** While it is being sent, it is due again only when its sender must have died. */
    dueAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
    /** Why it was dropped, or what the mail server said last: a code, never an address. */
    reason: p.string().length(64).nullable(),
    ...timestamps,
  },
  checks: [
    {
      name: 'mail_outbox_tells_of_something',
      expression: `(kind = 'refund') = (credit_memo_id is not null) and (kind = 'uncertain_refund') = (attempt_id is not null) and (kind = 'receipt') = (receipt_id is not null)`,
    },
  ],
  indexes: [
    { name: 'mail_outbox_due', properties: ['dueAt'], where: `state = 'waiting'` },
    { name: 'mail_outbox_concluded', properties: ['updatedAt'], where: `state <> 'waiting'` },
  ],
});

export type Mail = InferEntity<typeof Mail>;
