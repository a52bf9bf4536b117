import type { Mutant } from './mutant.ts';

const wallet = 'test/db/store-credit/add-entry.test.ts';

/** Wallets, and money to the last coin. */
export const walletMutants: readonly Mutant[] = [
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
    killedBy: ['test/db/store-credit/wallet-invariants.test.ts'],
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
        file: 'db/credit-stores.ts',
        find: 'if (known) return { account, entry: known, isRepeat: true };',
        replace: 'void known;',
      },
    ],
    killedBy: [wallet],
  },
  {
    id: 'M31',
    mistake: 'a balance may go below zero',
    patches: [{ file: 'domain/store-credit.ts', find: 'if (balanceAfter < 0)', replace: 'if (balanceAfter < -1e15)' }],
    killedBy: ['test/domain/store-credit/store-credit.test.ts'],
    named: '^(?:ledger) ',
  },
  {
    id: 'M32',
    mistake: 'money is rounded down',
    patches: [
      {
        file: 'domain/money.ts',
        find: 'amount(scaleUnits(value, 1, 1, coin));',
        replace: 'amount(Math.floor(value / coin) * coin + scaleUnits(0, 1, 1, coin));',
      },
    ],
    killedBy: ['test/domain/money/money.test.ts'],
    named: '^(?:amount) ',
  },
  {
    id: 'M32b',
    mistake: 'every currency has hundredths',
    patches: [
      {
        file: 'domain/money.ts',
        find: 'currencyExponents[currencyCode.toUpperCase()] ?? usualExponent;',
        replace: "currencyCode === '' ? (currencyExponents['USD'] ?? 0) : usualExponent;",
      },
    ],
    killedBy: ['test/domain/money/money.test.ts'],
    named: '^(?:coins) ',
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
    killedBy: ['test/domain/platform/document-lines.test.ts'],
    named: '^(?:whole coins) ',
  },
];
