import type { SettleMethod } from './refund-method.ts';
import type { ReturnOption } from './return-options.ts';

/** A collapsed return: goods back and money back in one call (spec 4.8). */

export const processResolutions = ['refund', 'store_credit', 'exchange'] as const;
export type ProcessResolution = (typeof processResolutions)[number];

/**
 * `open` covers a refund whose end is not known; `refused` a definite no; `failed` a provider that cannot be relied on;
 * `unattempted` an existing return that no provider took on, which is no refusal.
 */
export const processStates = ['open', 'done', 'refused', 'failed', 'unattempted'] as const;
export type ProcessState = (typeof processStates)[number];

/** Why a collapsed return is `unattempted`, in words for a register and for the histories. */
export const whyUnattempted = (returnIncrementId: string | null) =>
  `No returns provider took return ${returnIncrementId ?? ''} on.`;

/** `taken`: a provider took it on. `passed`: every provider declined. Until then they are asked in order. */
export const processStages = ['asking', 'taken', 'passed'] as const;
export type ProcessStage = (typeof processStages)[number];

/**
 * How the money of a collapsed return goes back. Only a refund goes through the gateway: store credit and an exchange
 * stay in the shop, whatever `isOnline` says (our choice).
 */
export function methodOfProcess({
  resolution,
  isOnline,
}: {
  resolution: ProcessResolution;
  isOnline: boolean;
}): SettleMethod {
  if (resolution !== 'refund') return resolution;
  return isOnline ? 'original_payment' : 'cash';
}

/** The provider's option for a collapsed return's resolution; undefined when it has none. */
export const optionOfProcess = (resolution: ProcessResolution, options: readonly ReturnOption[]) =>
  options.find(({ behavior, isStoreCredit }) =>
    resolution === 'exchange'
      ? behavior === 'exchange'
      : behavior === 'refund' && isStoreCredit === (resolution === 'store_credit'),
  );

/** The provider that the order's history names for the failure of a collapsed return. */
export const whoRan = (providerCode: string | null, stage: ProcessStage) =>
  stage === 'passed' || providerCode === null ? 'the core refund' : `the returns provider "${providerCode}"`;
