import { digestOf } from '../../db/platform/access/token-digest.ts';

/** More than a shop has registers; the oldest entry is removed first. */
const mostKnown = 10_000;

/**
 * The routes at which a token was accepted the last time. It grants nothing: each request still looks its token up.
 * It only decides whether reading ahead is worthwhile.
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
