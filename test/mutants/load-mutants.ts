import type { Mutant } from './mutant.ts';

const frozen = 'test/api/http/frozen-database.test.ts';
const heldOrder = 'test/api/http/lists-and-objects.test.ts';
const flood = 'test/api/staff/save-staff.test.ts';
const guesses = 'test/api/platform/access/access.test.ts';

/** What keeps the shop answering when the database or a crowd does not. */
export const loadMutants: readonly Mutant[] = [
  {
    id: 'L01',
    mistake: 'any number of connections wait for one order',
    patches: [
      {
        file: 'db/support/connections/queue-for-record.ts',
        find: 'if (!line.enter(key)) throw new QueueFull(key);',
        replace: 'line.enter(key);',
      },
    ],
    killedBy: [heldOrder],
  },
  {
    id: 'L02',
    mistake: 'a lock is waited for as long as it takes',
    patches: [
      {
        file: 'db/support/connections/guard-pool.ts',
        find: '  lock_timeout: limits.lockSeconds * 1_000,\n',
        replace: '',
      },
      {
        file: 'db/support/connections/guard-pool.ts',
        find: '  statement_timeout: limits.statementSeconds * 1_000,\n',
        replace: '',
      },
    ],
    killedBy: [heldOrder, frozen],
  },
  {
    id: 'L03',
    mistake: 'a connection that falls silent is waited for',
    patches: [
      {
        file: 'db/support/connections/guard-pool.ts',
        find: 'if (stream instanceof Duplex) stream.destroy(silence);',
        replace: 'if (stream instanceof Duplex) stream.emit(silence.message);',
      },
    ],
    killedBy: [frozen],
  },
  {
    id: 'L04',
    mistake: 'a connection that broke in a transaction keeps its place',
    patches: [
      {
        file: 'db/support/connections/guard-pool.ts',
        find: "  client.once('end', onEnd);\n",
        replace: '',
      },
    ],
    killedBy: [frozen],
  },
  {
    id: 'L05',
    mistake: 'a commit nobody heard of is told as not carried out',
    patches: [
      {
        file: 'db/support/connections/guard-pool.ts',
        find: '  commit.test(text) ||',
        replace: '',
      },
    ],
    killedBy: [frozen],
  },
  {
    id: 'L06',
    mistake: 'a crowd of writes takes every connection',
    patches: [
      {
        file: 'db/support/connections/guard-pool.ts',
        find: 'Math.max(taken[one], reserved[one] ?? 0)',
        replace: 'taken[one]',
      },
    ],
    killedBy: ['test/db/support/connections/connections.test.ts'],
    named: '^(?:connection slots) ',
  },
  {
    id: 'L07',
    mistake: 'a caller without a token waits in the line of the cashiers',
    patches: [
      {
        file: 'api/http/sign-in.ts',
        find: "user?.passwordHash ?? null, 'anonymous'",
        replace: 'user?.passwordHash ?? null',
      },
    ],
    killedBy: [flood],
  },
  {
    id: 'L08',
    mistake: 'each random name leaves a row',
    patches: [
      {
        file: 'api/http/sign-in.ts',
        find: 'user ? username : nobodysName(username)',
        replace: 'username',
      },
    ],
    killedBy: [guesses],
  },
  {
    id: 'L09',
    mistake: 'sign-ins that succeed count against a shop’s address',
    patches: [{ file: 'api/http/sign-in.ts', find: '  guesses.forget(request.address);\n', replace: '' }],
    killedBy: [flood],
  },
  {
    id: 'L10',
    mistake: 'a guess is believed that came after the lock',
    patches: [
      {
        file: 'api/http/sign-in.ts',
        find: 'if (!isCounted.value || !guess.value || !user)',
        replace: 'if (!guess.value || !user)',
      },
    ],
    killedBy: [guesses],
  },
  {
    id: 'L20',
    mistake: 'whose job takes too long hears of a thread that ended',
    patches: [{ file: 'providers/threads.ts', find: 'if (limit && calledOff', replace: 'if (!limit && calledOff' }],
    killedBy: ['test/providers/providers.test.ts'],
    named: '^(?:threads) ',
  },
  {
    id: 'L21',
    mistake: 'styles may have any number of declarations',
    patches: [{ file: 'providers/content/sanitise-css.ts', find: '++parts > maxParts)', replace: '++parts < 0)' }],
    killedBy: ['test/providers/content/sanitise-html.test.ts'],
    named: '^(?:sanitise css) ',
  },
];
