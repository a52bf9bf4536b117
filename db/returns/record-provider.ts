import type { EntityManager } from '@mikro-orm/postgresql';
import { addReturnComment } from './add-return-comment.ts';
import { withReturn } from './lock-return.ts';

export interface ProvidedReturn {
  returnId: number;
  providerCode: string;
  /** The provider's reference of the return; null for the built-in one. */
  reference: string | null;
  isRestockedHere: boolean;
}

/**
 * Records the provider of a return and its reference; goods that a provider keeps are not put into our stock.
 *
 * Safe to repeat: a return with a recorded answer is unchanged.
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
