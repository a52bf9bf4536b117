import type { Mutant } from './mutant.ts';

const signed = 'test/api/platform/access/access.test.ts';
const rules = 'test/domain/platform/access/oauth-request.test.ts';
const check = 'api/http/middleware/sign-in.ts';

const reset = 'db/platform/customers/passwords.ts';
const forgotten = ['test/api/platform/customers/password-reset.test.ts'];

/** Who gets in by a signature, or by a token of a mail. */
export const accessMutants: readonly Mutant[] = [
  {
    id: 'A01',
    mistake: 'a request that is sent again is carried out again',
    patches: [{ file: check, find: 'if (!isNew)', replace: 'if (!isNew && signer.revokedAt)' }],
    killedBy: [signed],
  },
  {
    id: 'A02',
    mistake: 'a nonce is looked for before it is noted',
    patches: [
      {
        file: 'db/platform/access/use-nonce.ts',
        find: 'on conflict do nothing',
        replace: 'on conflict (token_id, nonce) do update set expires_at = excluded.expires_at',
      },
    ],
    killedBy: [signed],
  },
  {
    id: 'A03',
    mistake: 'an old request is believed',
    patches: [
      {
        file: 'domain/platform/access.ts',
        find: 'Math.abs(timestamp - now.getTime() / 1_000)',
        replace: 'timestamp - now.getTime() / 1_000',
      },
    ],
    killedBy: [rules, signed],
  },
  {
    id: 'A04',
    mistake: 'a request of the future is believed',
    patches: [
      {
        file: 'domain/platform/access.ts',
        find: 'Math.abs(timestamp - now.getTime() / 1_000)',
        replace: 'now.getTime() / 1_000 - timestamp',
      },
    ],
    killedBy: [rules],
  },
  {
    id: 'A05',
    mistake: 'the query is not signed',
    patches: [{ file: check, find: '[...pairs, ...formPairs(query)]', replace: '[...pairs]' }],
    killedBy: [signed],
  },
  {
    id: 'A06',
    mistake: 'the verb is not signed',
    patches: [{ file: check, find: "verb: request.method ?? 'GET'", replace: "verb: 'GET'" }],
    killedBy: [signed],
  },
  {
    id: 'A07',
    mistake: 'any token goes with a consumer key',
    patches: [
      {
        file: check,
        find: 'if (!isSameSecret(digestOf(signed.token), signer.digest))',
        replace: 'if (digestOf(signed.token) === undefined)',
      },
    ],
    killedBy: [signed],
  },
  {
    id: 'A08',
    mistake: 'the access token opens doors without a signature',
    patches: [
      {
        file: 'db/platform/access/find-token-holder.ts',
        find: 'and t.consumer_key is null',
        replace: 'and t.user_id > 0',
      },
    ],
    killedBy: [signed],
  },
  {
    id: 'A09',
    mistake: 'anybody may say which address a proxy saw',
    patches: [
      {
        file: 'api/http/middleware/sign-in.ts',
        find: "isTrusted(socket.remoteAddress ?? '')",
        replace: "isTrusted(socket.remoteAddress ?? '') || true",
      },
    ],
    killedBy: ['test/api/http/order-of-checks.test.ts'],
    named: '^(?:seen origins) ',
  },
  {
    id: 'A10',
    mistake: 'a nonce is used up by a signature that is wrong',
    patches: [
      {
        file: check,
        find: 'if (!isRight)',
        replace:
          'if (!isRight && !(await useNonce(orm.em, { tokenId: signer.tokenId, nonce: signed.nonce, keptForMs: ' +
          '1_000 })))',
      },
    ],
    killedBy: [signed],
  },
  {
    id: 'A11',
    mistake: 'a token sets as many passwords as it is sent',
    patches: [
      {
        file: reset,
        find:
          'if (!account || (await use.run(tx, { customerId, digest: digestOf(token) })) === 0) throw ' +
          'wrongResetToken();',
        replace: 'if (!account) throw wrongResetToken();',
      },
    ],
    killedBy: forgotten,
    named: 'one of eight',
  },
  {
    id: 'A12',
    mistake: 'a token works for ever',
    patches: [
      { file: reset, find: 'r.expires_at > now() as is_alive', replace: 'true as is_alive' },
      { file: reset, find: ' and expires_at > clock_timestamp()', replace: '' },
    ],
    killedBy: forgotten,
    named: 'two hours',
  },
  {
    id: 'A13',
    mistake: 'a token survives the change of the password',
    patches: [
      {
        file: 'db/platform/customers/passwords.ts',
        find: '    await forgetReset(tx, customerId);\n',
        replace: '',
      },
    ],
    killedBy: forgotten,
    named: 'void after a change',
  },
  {
    id: 'A14',
    mistake: 'a caller who asks for new passwords may search for accounts',
    patches: [
      {
        file: 'api/platform/customers/password-reset.ts',
        find: '  if (account) await forgetAttempt(em, buckets);',
        replace: '  await forgetAttempt(em, buckets);',
      },
    ],
    killedBy: forgotten,
    named: 'search for accounts',
  },
  {
    id: 'A15',
    mistake: 'what an account shows confirms it for anybody who signs in',
    patches: [
      {
        file: 'api/platform/customers/account-confirmation.ts',
        find: '      accepts: (account) => isConfirmationKey(box, account, confirmationKey),',
        replace:
          '      accepts: (account) => account.confirmation === confirmationKey || isConfirmationKey(box, ' +
          'account, confirmationKey),',
      },
    ],
    killedBy: ['test/api/platform/customers/customer-groups.test.ts'],
    named: '^(?:account confirmation) ',
  },
];
