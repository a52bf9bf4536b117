import type { ReturnRecord } from '../../db/returns/return.repository.ts';
import { conflict } from '../../domain/errors.ts';

/** A repeat is safe only with a sale id. Without one the caller must read the return and not create it again. */
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
