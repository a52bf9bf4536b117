import { z } from 'zod';
import { toWire } from '../../domain/money.ts';
import type { LineSource, TenderLine } from '../../domain/tenders/tender-lines.ts';

/** A tender of an order in a preview or a return: what it took, gave back, and gives back with this refund. */
export const tenderLine = z
  .object({
    line_id: z.int(),
    method: z.string(),
    payment_method: z.string(),
    payment_id: z.string().nullable(),
    source: z.string(),
    paid: z.number(),
    base_paid: z.number(),
    refunded: z.number(),
    base_refunded: z.number(),
    available: z.number(),
    base_available: z.number(),
    proposed: z.number(),
    base_proposed: z.number(),
    state: z.string(),
  })
  .meta({ id: 'TenderLine' });

export const renderTenderLine = (
  line: Omit<TenderLine, 'source'> & { source: LineSource },
): z.input<typeof tenderLine> => ({
  line_id: line.lineId,
  method: line.method,
  payment_method: line.paymentMethod,
  payment_id: line.paymentId,
  source: line.source,
  paid: toWire(line.paid.order),
  base_paid: toWire(line.paid.base),
  refunded: toWire(line.refunded.order),
  base_refunded: toWire(line.refunded.base),
  available: toWire(line.available.order),
  base_available: toWire(line.available.base),
  proposed: toWire(line.proposed.order),
  base_proposed: toWire(line.proposed.base),
  state: line.state,
});
