import type { EntityManager } from '@mikro-orm/postgresql';
import { addReturnComment } from './add-return-comment.ts';
import { withReturn } from './lock-return.ts';

export interface ProvidedReturn {
  returnId: number;
  providerCode: string;
  /** What the provider calls it; null for the built-in one. */
  reference: string | null;
  isRestockedHere: boolean;
}

/**
 * Notes which provider runs a return and what it calls it; goods a provider keeps are not put on our shelves.
 *
 * Safe to repeat: a return whose provider has spoken is left as it is.
 */
export const recordProvider = (
  em: EntityManager,
  { returnId, providerCode, reference, isRestockedHere }: ProvidedReturn,
): Promise<void> =>
  withReturn(em, returnId, async (tx, { rma }) => {
    if (rma.providerReference !== null) return;
    rma.providerCode = providerCode;
    rma.providerReference = reference;
    if (!isRestockedHere) for (const item of rma.items) item.returnToStock = false;
    if (reference === null) return;
    const comment = `The returns provider "${providerCode}" calls this return ${reference}.`;
    await addReturnComment(tx, { returnId, comment, status: rma.status });
  });
