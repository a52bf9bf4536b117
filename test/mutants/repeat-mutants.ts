import type { Mutant } from './mutant.ts';

const keys = 'test/api/http/order-of-checks.test.ts';
const claims = 'test/db/idempotency/answer-under-claim.test.ts';
const sales = 'test/api/platform/orders/orders.test.ts';

/** What is sent again and must be done once. */
export const repeatMutants: readonly Mutant[] = [
  {
    id: 'K01',
    mistake: 'with a key, the transactions of a handler are committed each by itself',
    patches: [{ file: 'db/support/transact.ts', find: 'if (parts.has(em))', replace: 'if (parts.has(em) && false)' }],
    killedBy: ['test/db/support/kept-rows.test.ts'],
  },
  {
    id: 'K02',
    mistake: 'a key with another request is answered the first one’s answer',
    patches: [
      {
        file: 'db/idempotency.ts',
        find: 'known.fingerprint !== fingerprint',
        replace: 'known.fingerprint === undefined',
      },
    ],
    killedBy: [keys],
  },
  {
    id: 'K03',
    mistake: 'the body is no part of the request',
    patches: [
      {
        file: 'api/http/answer-once.ts',
        find: 'store.storeId, sources]',
        replace: 'store.storeId, sources.path, sources.query]',
      },
    ],
    killedBy: [keys],
  },
  {
    id: 'K04',
    mistake: 'a key is everybody’s',
    patches: [
      {
        file: 'api/http/answer-once.ts',
        find: 'canonicalJson([callerType, callerId, key])',
        replace: 'canonicalJson([key])',
      },
    ],
    killedBy: [keys],
  },
  {
    id: 'K05',
    mistake: 'a run notes what it made after another has its request',
    patches: [
      {
        file: 'db/idempotency.ts',
        find: 'set made_id = $madeId where digest = $digest and owner = $owner`',
        replace: 'set made_id = $madeId where digest = $digest and $owner = $owner`',
      },
    ],
    killedBy: [claims],
  },
  {
    id: 'K06',
    mistake: 'a claim is taken over while its run is at work',
    patches: [
      {
        file: 'db/idempotency.ts',
        find: 'if (known?.isHeld) throw keyInUse();',
        replace: '',
      },
    ],
    killedBy: [claims],
  },
  {
    id: 'K07',
    mistake: 'an answer of the moment is kept',
    patches: [
      {
        file: 'domain/idempotency.ts',
        find: 'status < 500 && !passing.includes(status)',
        replace: 'status < 500 || !passing.includes(status)',
      },
    ],
    killedBy: [keys, claims],
  },
  {
    id: 'K08',
    mistake: 'a sale with other content is the order all the same',
    patches: [
      {
        file: 'db/platform/place-order.ts',
        find: 'posSaleFingerprint !== saleFingerprint(posted)',
        replace: 'posSaleFingerprint === undefined',
      },
    ],
    killedBy: [sales],
  },
  {
    id: 'K09',
    mistake: 'a rival’s order of the same sale is a fault',
    patches: [
      {
        file: 'db/platform/place-order.ts',
        find: 'error instanceof UniqueConstraintViolationException ? await orderOfSale(em, posted) : undefined',
        replace: 'undefined as never',
      },
    ],
    killedBy: [sales],
  },
];
