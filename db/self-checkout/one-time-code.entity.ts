import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Website } from '../platform/stores/store.entity.ts';
import { timestamps } from '../support/shop-clock.ts';
import { Terminal } from '../terminals/terminal.entity.ts';

/**
 * The last code requested for an e-mail at one terminal (spec 3.5). A new request replaces it.
 *
 * It does not show whether the e-mail has an account: the row for an unknown e-mail looks the same, but its code is
 * never sent (decision 1). E-mail and code are digests under the shop's key.
 */
export const OneTimeCode = defineEntity({
  name: 'OneTimeCode',
  tableName: 'pos_one_time_code',
  properties: {
    codeId: p.bigint('number').primary().autoincrement(),
    emailDigest: p.string().length(64).unique(),
    /** The only terminal where it may be used. */
    terminalId: () => p.manyToOne(Terminal).mapToPk().fieldName('terminal_id').index().deleteRule('cascade'),
    /** The website whose customers count: that of the terminal's location. */
    websiteId: () => p.manyToOne(Website).mapToPk().fieldName('website_id').index().deleteRule('cascade'),
    codeDigest: p.string().length(64).hidden(),
    /** Counted before they are checked. */
    guesses: p.integer().default(0),
    mostGuesses: p.integer(),
    expiresAt: p.datetime(6).index(),
    consumedAt: p.datetime(6).nullable(),
    /** The requests that created it and used it, for repeats after a crash. */
    requestKey: p.uuid(),
    consumerKey: p.uuid().nullable(),
    ...timestamps,
  },
  checks: [
    { name: 'pos_one_time_code_guesses_within_limit', expression: 'guesses >= 0 and guesses <= most_guesses' },
    { name: 'pos_one_time_code_used_by_a_guess', expression: 'consumed_at is null or guesses > 0' },
  ],
});

export type OneTimeCode = InferEntity<typeof OneTimeCode>;
