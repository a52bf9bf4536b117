import type { Quantity } from '../money.ts';
import type { ExpectedLeg, SettlementOptions } from '../refunds/quote-refund.ts';
import type { ProcessResolution, Inspection, ReturnStatus } from './return-status.ts';
import type { VendorVerdict } from './eligibility.ts';
import type { SettleMethod, LineResolution, RequestedTender } from './resolution.ts';
import type { Command } from '../command.ts';

/** What is asked of a return, as it travels to its workflow and to the worker's transactions. */

/** What a person wrote with a request, sealed: no text of people is readable in Temporal. Null: nothing. */
export type Sealed = string | null;

/** A returns provider's answers from before the locks. */
export interface ProviderAnswers {
  code: string;
  resolutionIds: string[];
  verdict: VendorVerdict;
}

/**
 * Goods that somebody wants to bring back; quantities in 1/10 000. Reasons and conditions are among the sealed words.
 */
export interface GoodsToReturn {
  orderItemId: number;
  qtyRequested: Quantity;
  resolution: string | null;
  resolutionId: string | null;
  inspectedCondition: Inspection | null;
  returnToStock: boolean;
  qtyReceived: Quantity | null;
  targetSourceCode: string | null;
}

export interface CreateRequest extends Command {
  incrementId: string;
  orderId: number;
  customerId: number | null;
  locationId: number | null;
  items: GoodsToReturn[];
  isAutoApproved: boolean;
  refundMethod: SettleMethod | null;
  posSaleId: string | null;
  provider: ProviderAnswers;
  providerCodes: string[];
  words: Sealed;
}

/** Goods and money back in one call, by the built-in returns. */
export interface CollapseRequest extends Command {
  incrementId: string;
  orderId: number;
  requestKey: string;
  customerId: number | null;
  items: { orderItemId: number; qty: Quantity; resolution: string | null; resolutionId: string | null }[];
  resolution: ProcessResolution;
  resolutionId: string | null;
  isOnline: boolean;
  provider: ProviderAnswers;
  words: Sealed;
}

/** A settle; the terminal's printout stays in the database, under the key of the operation. */
export interface SettleRequest extends Command {
  /** Absent with tenders. */
  method?: SettleMethod;
  /** How the handback is split over several tenders. Amounts in 1/10 000. */
  tenders?: RequestedTender[];
  options: SettlementOptions;
  reference?: string;
  expectedLegs?: ExpectedLeg[];
}

/** A status set by hand, and a person's comment; so in the messages below. */
export interface SetStatusRequest extends Command {
  status: ReturnStatus;
  words: Sealed;
}

/** Goods received at the counter of a location; quantities in 1/10 000. */
export interface ReceiveRequest extends Command {
  locationId: number;
  lines: {
    rmaItemId: number;
    inspection: Inspection | null;
    condition: string | null;
    qtyReceived: Quantity | null;
    returnToStock: boolean | null;
  }[];
}

export interface ResolveRequest extends Command {
  resolutions: LineResolution[];
}

/** Cancel-refund and close. */
export interface NotedRequest extends Command {
  words: Sealed;
}

/** Finishes a return in one call, from any status. */
export interface ProcessRequest extends Command {
  resolution: ProcessResolution;
  isOnline: boolean;
}

/** Goods and money back in one call, where an outside provider is asked first, or there is no returns module. */
export interface OpenProcessRequest extends Omit<CollapseRequest, 'incrementId'> {}
