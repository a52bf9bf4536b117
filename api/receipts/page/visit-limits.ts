import type { EntityManager } from '@mikro-orm/postgresql';
import { countAttempt, type Bucket } from '../../../db/support/rate-limit.ts';
import { PosError } from '../../../domain/errors.ts';
import type { VisitAction } from './receipt-visit.ts';

/** The window of every limit of a receipt's page (spec 8). */
export const windowSeconds = 600;
const mostRequests = 10;
const mostMailsOfAddress = 20;
const mostMailsOfReceipt = 10;

export interface Visitor {
  address: string;
  /** A receipt whose token is replaced is counted from zero. */
  tokenDigest: string;
}

/** Requests by address, receipt and action. */
const requests = ({ address, tokenDigest }: Visitor, action: VisitAction): Bucket => ({
  name: `receipt ${action} ${address} ${tokenDigest}`,
  limit: mostRequests,
  windowSeconds,
});

/** Mails by address, for all receipts; and mails by receipt, from all addresses. */
const mails = ({ address, tokenDigest }: Visitor): Bucket[] => [
  { name: `receipt mails of address ${address}`, limit: mostMailsOfAddress, windowSeconds },
  { name: `receipt mails of receipt ${tokenDigest}`, limit: mostMailsOfReceipt, windowSeconds },
];

/**
 * Counts a request for a receipt's page before it is carried out, exactly and across all processes (spec 8); a
 * request for a mail counts as a mail, too. A refused one counts nowhere.
 *
 * Refused with: 429 too many.
 */
export async function countVisit(
  em: EntityManager,
  visitor: Visitor,
  { action, isMail = false }: { action: VisitAction; isMail?: boolean },
): Promise<void> {
  const buckets = [requests(visitor, action), ...(isMail ? mails(visitor) : [])];
  if (!(await countAttempt(em, buckets, { waitsForDisk: action !== 'view' }))) throw tooMany();
}

const tooMany = () =>
  new PosError({ status: 429, message: 'Too many requests. Please wait some minutes and try again.' });
