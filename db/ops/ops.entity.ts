import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { RefundAttempt } from '../refunds/refund-attempt.entity.ts';
import { amountColumn } from '../support/columns.ts';
import { timestamps } from '../support/shop-clock.ts';

/** By which means money is handed back that a processor never gave back. */
export const refundCaseMeans = ['processor', 'cash', 'transfer', 'store_credit'] as const;
export type RefundCaseMeans = (typeof refundCaseMeans)[number];

/** Who may sign in at the operator's page: an administrator of the platform, or a member of the staff. */
export const opsUserKinds = ['admin', 'staff'] as const;
export type OpsUserKind = (typeof opsUserKinds)[number];

/** A person's second factor: the secret that the person's phone makes codes of, sealed. */
export const SecondFactor = defineEntity({
  name: 'SecondFactor',
  tableName: 'ops_second_factor',
  properties: {
    factorId: p.bigint('number').primary().autoincrement(),
    userKind: p.enum(opsUserKinds),
    userId: p.bigint('number'),
    sealedSecret: p.text().hidden(),
    /** Null: it was shown, and no code of it was typed yet. */
    confirmedAt: p.datetime(6).nullable(),
    /** The half minute of the last code that was taken: no code is taken twice. */
    lastStep: p.integer().default(0),
    /** Counted before a code is checked, so that guesses at once get no further. */
    failures: p.integer().default(0),
    failedAt: p.datetime(6).nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'ops_second_factor_of_a_person', properties: ['userKind', 'userId'] }],
});
export type SecondFactor = InferEntity<typeof SecondFactor>;

/** A sign-in at the operator's page, kept as the digest of its cookie. */
export const OpsSession = defineEntity({
  name: 'OpsSession',
  tableName: 'ops_session',
  properties: {
    sessionId: p.bigint('number').primary().autoincrement(),
    digest: p.string().length(64).unique().hidden(),
    userKind: p.enum(opsUserKinds),
    userId: p.bigint('number'),
    /** It opens one page: the one where a second factor is made. */
    isEnrolling: p.boolean().default(false),
    /** When it showed the key of a new second factor: it shows one key, once. */
    keyShownAt: p.datetime(6).nullable(),
    createdAt: p.datetime(6).defaultRaw('now()'),
    seenAt: p.datetime(6).defaultRaw('now()'),
    endsAt: p.datetime(6).index(),
  },
  indexes: [{ properties: ['userKind', 'userId'] }],
});
export type OpsSession = InferEntity<typeof OpsSession>;

/** What one person can give another to sign in with. */
export const credentialKinds = ['passcode', 'second_factor'] as const;

/**
 * Credentials that a person or a system gave another: for a day the two do not count as two people. Stored for a
 * month.
 */
export const CredentialGift = defineEntity({
  name: 'CredentialGift',
  tableName: 'ops_credential_gift',
  properties: {
    giftId: p.bigint('number').primary().autoincrement(),
    userKind: p.enum(opsUserKinds),
    userId: p.bigint('number'),
    what: p.enum(credentialKinds),
    /** The giver's account, such as `admin:3`, or `integration:2`. */
    givenBy: p.string().length(64),
    givenAt: p.datetime(6).defaultRaw('now()').index(),
  },
});
export type CredentialGift = InferEntity<typeof CredentialGift>;

/** What two people decide together above the sum that is set. */
export const proposalSteps = ['decision', 'open_case', 'close_case'] as const;
export type ProposalStep = (typeof proposalSteps)[number];

/** The first person's decision about a refund or its incident, where a second person must say the same. */
export const RefundProposal = defineEntity({
  name: 'RefundProposal',
  tableName: 'refund_proposal',
  properties: {
    attemptId: () => p.manyToOne(RefundAttempt).mapToPk().primary().fieldName('attempt_id').deleteRule('cascade'),
    step: p.enum(proposalSteps).primary(),
    /** `refunded` or `not_refunded`; of an incident to open its means; of one to close `closed`. */
    answer: p.enum(['refunded', 'not_refunded', ...refundCaseMeans, 'closed'] as const),
    note: p.text(),
    /** The account, such as `staff:7`. */
    byAccount: p.string().length(64),
    byName: p.string().length(255),
    /** Lower case: one person with two accounts is one person. */
    byEmail: p.string().length(255),
    createdAt: p.datetime(6).defaultRaw('now()'),
  },
});
export type RefundProposal = InferEntity<typeof RefundProposal>;

/**
 * A refund that a person called "refunded", and that another word calls wrong. It moves no money and no state: a person
 * hands the money back and closes it with the proof.
 */
export const RefundCase = defineEntity({
  name: 'RefundCase',
  tableName: 'refund_case',
  properties: {
    caseId: p.bigint('number').primary().autoincrement(),
    attemptId: () => p.manyToOne(RefundAttempt).mapToPk().unique().fieldName('attempt_id').deleteRule('restrict'),
    firstBy: p.string().length(255),
    firstNote: p.text().nullable(),
    firstAt: p.datetime(6),
    secondBy: p.string().length(255),
    secondNote: p.text(),
    amount: amountColumn(),
    currencyCode: p.string().length(3),
    means: p.enum(refundCaseMeans),
    openedAt: p.datetime(6).defaultRaw('now()'),
    closedBy: p.string().length(255).nullable(),
    proof: p.text().nullable(),
    closedAt: p.datetime(6).nullable(),
  },
  checks: [
    {
      name: 'refund_case_closed_with_proof',
      expression: '(closed_at is null) = (closed_by is null) and (closed_at is null) = (proof is null)',
    },
    { name: 'refund_case_amount_positive', expression: `amount > 0 and amount <> 'NaN'` },
  ],
  indexes: [{ name: 'refund_case_open', properties: ['openedAt'], where: 'closed_at is null' }],
});
export type RefundCase = InferEntity<typeof RefundCase>;

/** A broken rule: how many rows break it, as far as they were read, and the first of them. */
export interface KeptFinding {
  id: string;
  sentence: string;
  rows: number;
  first: readonly Readonly<Record<string, unknown>>[];
}

/** What a check of the books found, kept for whoever looks the next morning. */
export const BooksCheck = defineEntity({
  name: 'BooksCheck',
  tableName: 'books_check',
  properties: {
    checkId: p.bigint('number').primary().autoincrement(),
    checkedAt: p.datetime(6).defaultRaw('now()').index(),
    checkedBy: p.string().length(255),
    /** Of a night's run: its repeat keeps no second line. */
    runKey: p.string().length(64).unique().nullable(),
    /** How many rules were checked. */
    rules: p.integer(),
    /** The broken ones. */
    findings: p.json<KeptFinding[]>(),
  },
});
export type BooksCheck = InferEntity<typeof BooksCheck>;

/** The work of each night, as its schedule is named. */
export const nights = ['check-books', 'purge-leftovers', 'roll-up-telemetry'] as const;
export type Night = (typeof nights)[number];

/** When the work of each night made its last step, and when it was last done. */
export const NightRun = defineEntity({
  name: 'NightRun',
  tableName: 'night_run',
  properties: {
    night: p.string().length(40).primary(),
    workedAt: p.datetime(6).defaultRaw('now()'),
    endedAt: p.datetime(6).defaultRaw('now()'),
  },
});
export type NightRun = InferEntity<typeof NightRun>;

export const opsEntities = [SecondFactor, OpsSession, CredentialGift, RefundProposal, RefundCase, BooksCheck, NightRun];
