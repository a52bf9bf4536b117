/** An answer as it was sent. */
export interface KeptAnswer {
  type: string;
  body: Buffer;
  /** For `If-None-Match`. */
  tag: string;
}

/** The most bytes of all answers in a process. */
const maxBytes = 33_554_432;
/** A single answer must not displace all others. */
const maxEntryBytes = 2_097_152;

/**
 * Cached answers to identical requests, valid while no content changes. The ones not requested for longest are
 * removed first.
 *
 * Answers with errors are never cached. The first answer of a new revision empties the cache.
 */
export function createKeptAnswers(most = maxBytes) {
  const kept = new Map<string, KeptAnswer>();
  let bytes = 0;
  let keptFor = -1;

  const drop = (key: string, answer: KeptAnswer) => {
    kept.delete(key);
    bytes -= sizeOf(key, answer);
  };
  return {
    find(key: string, revision: number): KeptAnswer | undefined {
      const answer = revision === keptFor ? kept.get(key) : undefined;
      if (!answer) return undefined;
      kept.delete(key);
      kept.set(key, answer);
      return answer;
    },
    keep(key: string, revision: number, answer: KeptAnswer): void {
      if (revision < keptFor || sizeOf(key, answer) > maxEntryBytes) return;
      if (revision > keptFor) {
        kept.clear();
        bytes = 0;
        keptFor = revision;
      }
      const before = kept.get(key);
      if (before) drop(key, before);
      kept.set(key, answer);
      bytes += sizeOf(key, answer);
      for (const [oldest, one] of kept) {
        if (bytes <= most) break;
        drop(oldest, one);
      }
    },
  };
}

/** A character of a key takes two bytes. */
const sizeOf = (key: string, { body }: KeptAnswer) => 2 * key.length + body.length;
