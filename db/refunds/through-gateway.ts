import type { EntityManager } from '@mikro-orm/postgresql';

/** Claims the one call of an attempt in the transaction that opens it: nobody else can call, or take it for abandoned. */
export type ClaimCall = (tx: EntityManager, attemptId: number) => Promise<void>;

/** How a transaction may give money back through the original gateway. */
export interface ThroughGateway {
  /** Whether a gateway can refund this payment method. */
  canRefundThrough: (paymentMethod: string) => boolean;
  /** The caller's own claim of the call, made with the attempt; absent: it is claimed in a commit of its own. */
  claim?: ClaimCall | undefined;
}
