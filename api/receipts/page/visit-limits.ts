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

/** What a look at a receipt counts in; it is counted where the receipt is read. */
export const looks = (visitor: Visitor): Bucket => requests(visitor, 'view');

/** Limits of mails: for one visitor's address with any receipts, and for one receipt with any visitors. */
const mails = ({ address, tokenDigest }: Visitor): Bucket[] => [
  { name: `receipt mails of address ${address}`, limit: mostMailsOfAddress, windowSeconds },
  { name: `receipt mails of receipt ${tokenDigest}`, limit: mostMailsOfReceipt, windowSeconds },
];

/**
 * Counts a request for a receipt's action before it is carried out, exactly and for all processes together (spec 8); one
 * that asks for a mail counts as a mail too. What is refused counts nowhere.
 *
 * Refused with: 429 too many.
 */
export async function countVisit(
  em: EntityManager,
  visitor: Visitor,
  { action, isMail = false }: { action: Exclude<VisitAction, 'view'>; isMail?: boolean },
): Promise<void> {
  const buckets = [requests(visitor, action), ...(isMail ? mails(visitor) : [])];
  if (!(await countAttempt(em, buckets))) throw tooMany();
}

/** 429, in the words of spec 8. */
export const tooMany = () =>
  new PosError({ status: 429, message: 'Too many requests. Please wait some minutes and try again.' });
