import type { EntityManager } from '@mikro-orm/postgresql';
import { keepHolding, type Hold } from '../../db/mails/claim-mail.ts';
import { holdSeconds } from '../../domain/mails/mail-life.ts';

/** A quarter of the hold: two renewals may fail. */
const renewEveryMs = (holdSeconds * 1_000) / 4;
/** A second before others may take the mail. */
const safeMs = (holdSeconds - 1) * 1_000;

/**
 * Holds a claimed mail while the work runs. When the hold cannot be renewed in time, or another sender has the mail,
 * the signal ends the work: so a sender that was frozen does not send beside the one that took over.
 */
export async function whileHeld<Made>(
  em: EntityManager,
  hold: Hold,
  work: (lost: AbortSignal) => Promise<Made>,
): Promise<Made> {
  const lost = new AbortController();
  const end = setTimeout(() => lost.abort(), safeMs);
  let renewing: Promise<unknown> | undefined;
  const renew = async () => {
    // Nobody knows while the database is away: then the time decides.
    const isOurs = await keepHolding(em, hold).catch(() => undefined);
    if (isOurs === true) end.refresh();
    if (isOurs === false) lost.abort();
    renewing = undefined;
  };
  const timer = setInterval(() => void (renewing ??= renew()), renewEveryMs);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
    clearTimeout(end);
    // Or it would overwrite what is stored next.
    await renewing;
  }
}
