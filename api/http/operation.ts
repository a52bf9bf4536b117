import type { EntityManager } from '@mikro-orm/postgresql';
import { randomUUID } from 'node:crypto';
import type { Run } from '../../db/idempotency.ts';

/** Identifies a request across its repeats: routes that commit several times find their work by it. */
export interface Operation {
  /** A UUID: the same for every run of a request with an `Idempotency-Key`, new for any other. */
  key: string;
  /** The caller sent an `Idempotency-Key`. */
  isNamed: boolean;
  /** The id that an earlier run recorded by `made`; null where none did. */
  madeBefore: number | null;
  /** Records an id in the transaction that creates it, so that a later run finds it. */
  made: (tx: EntityManager, id: number) => Promise<void>;
  /** Marks the answer as temporary: the same request asks again. */
  leaveOpen: () => void;
}

const nothing = () => undefined;

/** For a request without a key: each one is a new operation. */
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
