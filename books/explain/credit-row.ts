import type { CreditKind, CreditUse } from '../../domain/credits/applied-credit.ts';

/** Credit spent on a sale, and the part that came back. Money as decimal text. */
export interface CreditRow {
  creditId: number;
  kind: CreditKind;
  appliesAs: CreditUse;
  /** The full code: it must be masked before it is shown. */
  code: string | null;
  amount: string;
  points: number | null;
  amountReturned: string;
  amountReserved: string;
  /** For credit kept outside: its provider, and the provider's reference. */
  keptBy: string | null;
  keeperNumber: string | null;
  returns: {
    creditMemoId: number | null;
    amount: string;
    points: number | null;
    state: 'booked' | 'pending';
    at: string;
  }[];
}
