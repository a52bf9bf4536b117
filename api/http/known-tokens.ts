import { digestOf } from '../../db/platform/access/token-digest.ts';

/** More than the registers of a shop; the one that waits longest goes first. */
const mostKnown = 10_000;

/**
 * Who was let in at a route the last time. It lets nobody in: each request looks its token up. It only says whether it is
 * worth reading before that is done.
 */
export interface KnownTokens {
  has(path: string, token: string | undefined): boolean;
  note(path: string, token: string | undefined, wasLetIn: boolean): void;
}

export function createKnownTokens(): KnownTokens {
  const known = new Set<string>();
  const keyOf = (path: string, token: string) => `${digestOf(token)} ${path}`;
  return {
    has: (path, token) => token !== undefined && known.has(keyOf(path, token)),
    note(path, token, wasLetIn) {
      if (token === undefined) return;
      const key = keyOf(path, token);
      known.delete(key);
      if (wasLetIn) known.add(key);
      if (known.size > mostKnown) for (const oldest of known.keys()) return void known.delete(oldest);
    },
  };
}
