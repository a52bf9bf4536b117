import { z } from 'zod';
import { couldNotSaveReceipt } from '../../db/receipts/could-not-save-receipt.ts';
import { PosError } from '../../domain/errors.ts';
import { inWords } from '../../domain/fill-in.ts';
import { receiptFault } from '../../domain/receipts/receipt-fault.ts';
import { longListRefusal } from '../http/arguments.ts';
import { refusalOf } from '../wire/refusal-of.ts';
import { growing, integer } from '../wire/schemas.ts';
import { isStorableJson } from '../wire/storable-json.ts';
import { receiptPayload, saleIdOf, textsOf, type PostedReceipt } from './receipt-payload.ts';

/** A receipt that may be stored. */
export interface ReadReceipt {
  posted: PostedReceipt;
  posOrderId: string;
}

const body = z.object({ receipt: receiptPayload });
const naming = growing({ terminalId: integer.optional() });

/** The terminal that a receipt names, read before the rest; an unreadable one counts as none. */
export function terminalOf(given: unknown): number | undefined {
  const { success, data } = naming.safeParse(given);
  return success ? data.terminalId : undefined;
}

const refuseLongLists = longListRefusal(body);

/** Refused with: 400 `Could not save the receipt: %1`, for any fault of the receipt (spec 4.9). */
export function readReceipt(receipt: unknown): ReadReceipt {
  if (!isStorableJson(receipt)) throw couldNotSaveReceipt('it has characters or numbers that cannot be stored.');
  const given = { receipt: receipt ?? undefined };
  try {
    refuseLongLists(given);
  } catch (error) {
    throw error instanceof PosError ? couldNotSaveReceipt(inWords(error.refusal)) : error;
  }
  const read = body.safeParse(given, { reportInput: true });
  if (!read.success) throw couldNotSaveReceipt(inWords(refusalOf(read.error.issues, given).refusal));
  const posted = read.data.receipt;
  const posOrderId = saleIdOf(posted);
  const receiptToken = posted.receiptToken || undefined;
  const fault = receiptFault({ posOrderId, receiptToken, texts: textsOf(posted) });
  if (fault !== undefined || posOrderId === undefined) throw couldNotSaveReceipt(fault ?? '');
  return { posted, posOrderId };
}
