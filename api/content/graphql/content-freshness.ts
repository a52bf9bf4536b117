import type { EntityManager } from '@mikro-orm/postgresql';
import { readContentRevision } from '../../../db/content/read-content-revision.ts';

/** The newest revision of all content, at most `keptMs` old. Concurrent callers share one read. */
export function createContentFreshness(em: EntityManager, keptMs: number): () => Promise<number> {
  let known = 0;
  let readAt = -Infinity;
  let reading: Promise<number> | undefined;

  const renew = async () => {
    const began = performance.now();
    known = await readContentRevision(em);
    readAt = began;
    return known;
  };
  return async () => {
    if (performance.now() - readAt < keptMs) return known;
    return (reading ??= renew().finally(() => (reading = undefined)));
  };
}
