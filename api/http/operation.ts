import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Run } from '../../db/idempotency/answer-under-claim.ts';

/** What a request asks for, however often it is sent: routes that commit several times make their work known by it. */
export interface Operation {
  /** A UUID: the same for every run of a request with an `Idempotency-Key`, new for any other. */
  key: string;
  /** The caller named the request by an `Idempotency-Key`. */
  isNamed: boolean;
  /** The id that an earlier run noted by `made`; null where none did. */
  madeBefore: number | null;
  /** Notes an id in the transaction that makes it, so that a later run finds it. */
  made: (tx: EntityManager, id: number) => Promise<void>;
  /** The answer is not the last word: the same request asks again. */
  leaveOpen: () => void;
}

const nothing = () => undefined;

/** Of a request without a key: each one is another. */
export const unnamedOperation = (): Operation => ({
  key: randomUUID(),
  isNamed: false,
  madeBefore: null,
  made: async () => undefined,
  leaveOpen: nothing,
});

export const namedOperation = ({ operationKey, madeBefore, made, leaveOpen }: Run): Operation => ({
  key: operationKey,
  isNamed: true,
  madeBefore,
  made,
  leaveOpen,
});
