import type { ReturnRecord } from '../../db/returns/return.repository.ts';
import { conflict } from '../../domain/errors.ts';

/** Only a sale id makes it safe to ask again; without one the return is to be read, not made anew. */
export const beingCreated = ({ incrementId, posSaleId, returnId: rmaId }: ReturnRecord, why?: string) =>
  posSaleId === null
    ? conflict(
        'return_not_ready',
        `Return ${incrementId} exists and is still being created. Read it again in a moment; do not make another.`,
        { return_id: rmaId },
      )
    : conflict(
        'sale_return_being_created',
        `Return ${incrementId} exists and is still being created. ${why ?? 'Send the same request again in a moment.'}`,
        { return_id: rmaId },
      );
