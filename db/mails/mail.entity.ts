import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { mailedDocuments, mailKinds, mailStates } from '../../domain/mails/letters.ts';
import { Customer } from '../platform/customers/customer.entity.ts';
import { Subscriber } from '../platform/newsletter/subscriber.entity.ts';
import { CreditMemo } from '../platform/credit-memos/credit-memo.entity.ts';
import { Receipt } from '../receipts/receipt.entity.ts';
import { RefundAttempt } from '../refunds/refund-attempt.entity.ts';
import { OneTimeCode } from '../self-checkout/one-time-code.entity.ts';
import { timestamps, shopNow } from '../support/shop-clock.ts';

/**
 * A mail to send. It is written in the transaction of its event, so a crash loses none and a repeat sends no second.
 * It stores no text, and only two kinds of address, because no other row has them: that of a one-time code, sealed
 * together with the code, until it is sent or expires; and that of a requested receipt, sealed until it is sent. The
 * token of a new password is sealed like a code.
 */
export const Mail = defineEntity({
  name: 'Mail',
  tableName: 'mail_outbox',
  properties: {
    mailId: p.bigint('number').primary().autoincrement(),
    /** The event it reports, once each: `refund-42`, `uncertain-refund-7`. Part of its Message-ID. */
    mailKey: p.string().length(64).unique(),
    kind: p.enum(mailKinds),
    creditMemoId: () =>
      p.manyToOne(CreditMemo).mapToPk().fieldName('credit_memo_id').index().deleteRule('cascade').nullable(),
    attemptId: () =>
      p.manyToOne(RefundAttempt).mapToPk().fieldName('attempt_id').index().deleteRule('cascade').nullable(),
    codeId: () => p.manyToOne(OneTimeCode).mapToPk().fieldName('code_id').index().deleteRule('cascade').nullable(),
    subscriberId: () =>
      p.manyToOne(Subscriber).mapToPk().fieldName('subscriber_id').index().deleteRule('cascade').nullable(),
    /** The account that gets a new password, or must confirm its e-mail. */
    customerId: () => p.manyToOne(Customer).mapToPk().fieldName('customer_id').index().deleteRule('cascade').nullable(),
    /** The order, invoice, shipment or credit memo that the mail is about. */
    documentName: p.enum(mailedDocuments).nullable(),
    documentId: p.bigint('number').nullable(),
    /** What it says and to whom, where only the mail knows it. */
    sealed: p.text().nullable().hidden(),
    /** It is sent before this time or never, and before every mail without one: a customer waits for it. */
    diesAt: p.datetime(6).nullable(),
    receiptId: () => p.manyToOne(Receipt).mapToPk().fieldName('receipt_id').index().deleteRule('cascade').nullable(),
    /** The address of a receipt; deleted once it is sent or dropped. */
    sealedTo: p.text().hidden().nullable(),
    /** A digest of the receipt and the address while it waits: an equal request joins this mail. */
    wishDigest: p.string().length(64).hidden().nullable().unique(),
    /** Keys of requests that joined: their repeats are still this mail. */
    joinedKeys: p.array().hidden().nullable(),
    state: p.enum(mailStates).default('waiting'),
    tries: p.integer().default(0),
    /** While it is being sent, this is the time at which its sender counts as dead. */
    dueAt: p
      .datetime(6)
      .defaultRaw('now()')
      .onCreate(() => shopNow()),
    /** Why it was dropped, or the mail server's last answer: a code, never an address. */
    reason: p.string().length(64).nullable(),
    ...timestamps,
  },
  checks: [
    {
      name: 'mail_outbox_tells_of_something',
      expression: `(kind = 'refund') = (credit_memo_id is not null) and (kind = 'uncertain_refund') = (attempt_id is not null)
        and (kind = 'one_time_code') = (code_id is not null) and (kind = 'newsletter_confirmation') = (subscriber_id is not null)
        and (kind = 'receipt') = (receipt_id is not null) and (kind = 'document') = (document_id is not null) and (document_name is null) = (document_id is null)
        and (kind in ('password_reset', 'account_confirmation')) = (customer_id is not null)`,
    },
    { name: 'mail_outbox_wish_waits', expression: `wish_digest is null or state = 'waiting'` },
    { name: 'mail_outbox_sealed_dies', expression: `sealed is null or dies_at is not null and state = 'waiting'` },
  ],
  uniques: [
    {
      // Who asks for a document that still waits to go out is asking for that mail.
      name: 'mail_outbox_document_waits_once',
      properties: ['documentName', 'documentId'],
      where: `state = 'waiting' and document_id is not null`,
    },
  ],
  indexes: [
    { name: 'mail_outbox_due', properties: ['dueAt'], where: `state = 'waiting'` },
    { name: 'mail_outbox_urgent', properties: ['diesAt'], where: `state = 'waiting' and dies_at is not null` },
    { name: 'mail_outbox_concluded', properties: ['updatedAt'], where: `state <> 'waiting'` },
    { name: 'mail_outbox_dropped', properties: ['updatedAt'], where: `state = 'dropped'` },
  ],
});

export type Mail = InferEntity<typeof Mail>;
