import type { EntityManager } from '@mikro-orm/postgresql';
import { toPlain } from '../../domain/money.ts';
import { tenderLineRefunded } from '../../domain/refusals/tenders.ts';
import type { RowOf } from '../support/entity-columns.ts';
import { rowOf } from '../support/rows.ts';
import { cached, keep, saveRows } from '../support/save-rows.ts';
import { sql } from '../support/sql.ts';
import { ReturnTender } from './return-tender.entity.ts';

/** A tender line as stored. */
export type TenderRow = RowOf<typeof ReturnTender>;

const tender = rowOf(ReturnTender, 't');

/** The tender lines of a return by their numbers; the lock of its order covers them. `saveTenders` writes changes. */
export const readTenderRows = async (em: EntityManager, returnId: number): Promise<TenderRow[]> =>
  (await rowsOfReturn.all(em, { returnId })).map((row) => keep(row.tender));

const rowsOfReturn = sql('return-tenders.rowsOfReturn', { gives: { tender } })`
  select ${tender.columns} from sale_return_tender t where t.return_id = $returnId order by t.line_id`;

export const saveTenders = (em: EntityManager, rows: readonly TenderRow[]): Promise<void> =>
  saveRows(em, [cached(ReturnTender, rows)]);

/** The line went back, and has no memo. */
export const isRefunded = ({ state }: Pick<TenderRow, 'state'>) => state === 'refunded';

interface WithTenders {
  /** Null for goods without a return, which have no tender lines. */
  returnId: number | null;
  hasTenders?: boolean;
}

/**
 * Once money of a tender line went back, only a settle with `tenders` finishes the return. A return without tender lines
 * needs no statement.
 *
 * Refused with: 400 `tender_line_refunded`, naming the first of them.
 */
export async function refuseOnceRefunded(em: EntityManager, { returnId, hasTenders }: WithTenders): Promise<void> {
  if (returnId === null || hasTenders !== true) return;
  const row = (await readTenderRows(em, returnId)).find(isRefunded);
  if (row === undefined) return;
  const { lineId, amount, method, reference } = row;
  throw tenderLineRefunded({
    line_id: lineId,
    amount: toPlain(amount),
    method,
    return_id: returnId,
    ...(reference === null ? {} : { reference }),
  });
}

/**
 * The same for a settlement by one method; lines of earlier settles that did not go back are deleted.
 *
 * Refused as `refuseOnceRefunded`.
 */
export async function dropOpenTenders(em: EntityManager, rma: WithTenders): Promise<void> {
  if (rma.returnId === null || rma.hasTenders !== true) return;
  await refuseOnceRefunded(em, rma);
  await remove.run(em, { returnId: rma.returnId });
  rma.hasTenders = false;
}

/** Deletes the lines of a return that have not gone back. */
export const deleteOpenTenders = (em: EntityManager, returnId: number) => remove.run(em, { returnId });

const remove = sql('return-tenders.remove')`
  delete from sale_return_tender where return_id = $returnId and state in ('open', 'declined')`;
