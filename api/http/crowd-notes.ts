import type { Log } from '../../providers/log.ts';
import type { CrowdNotes } from './connection-limit.ts';
import type { Meter } from './middleware/observe.ts';

/** How often the log repeats that connections of an address are turned away. */
const everyMs = 60_000;
/** The most addresses remembered. */
const mostAddresses = 1_000;

/** Counts what was turned away, and writes one line a minute for an address. */
export function notesOf({ log, meter }: { log: Pick<Log, 'warn'>; meter?: Meter | undefined }): CrowdNotes {
  const toldAt = new Map<string, number>();
  const isNews = (key: string) => {
    const now = performance.now();
    if (now - (toldAt.get(key) ?? -Infinity) < everyMs) return false;
    if (toldAt.size >= mostAddresses) toldAt.clear();
    toldAt.set(key, now);
    return true;
  };
  return {
    refused(by, address) {
      meter?.turnedAway(by);
      if (isNews(`${by} ${address}`)) log.warn({ by, address }, 'too many connections or requests at once');
    },
    gaveWay(address) {
      meter?.turnedAway('idle');
      if (isNews(`idle ${address}`)) log.warn({ address }, 'idle connections are closed for new ones of an address');
    },
  };
}
