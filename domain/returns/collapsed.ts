import type { Refusal } from '../errors.ts';
import type { SettleMethod } from './refund-method.ts';
import type { ReturnOption } from './return-options.ts';

/** Collapsed processing: goods back and money back in one call (spec 4.8). */

export const processResolutions = ['refund', 'store_credit', 'exchange'] as const;
export type ProcessResolution = (typeof processResolutions)[number];

/** `open` covers a refund nobody knows the end of; `refused` a definite no; `failed` a provider nobody can rely on. */
export const processStates = ['open', 'done', 'refused', 'failed'] as const;
export type ProcessState = (typeof processStates)[number];

/** A run that nobody took on is answered with 200: that is no refusal. */
export const isRefusal = (refusal: Refusal | null): refusal is Refusal => refusal !== null && refusal.status !== 200;

/** A provider took it on, or every one of them passed; until then they are asked in order. */
export const processStages = ['asking', 'taken', 'passed'] as const;
export type ProcessStage = (typeof processStages)[number];

/**
 * How a run's money goes back. Only a refund goes through the gateway: store credit and an exchange never leave the shop,
 * whatever `isOnline` says (our choice).
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

/** The provider's option that means a run's resolution; undefined when it has none. */
export const optionOfProcess = (resolution: ProcessResolution, options: readonly ReturnOption[]) =>
  options.find(({ behavior, isStoreCredit }) =>
    resolution === 'exchange'
      ? behavior === 'exchange'
      : behavior === 'refund' && isStoreCredit === (resolution === 'store_credit'),
  );

/** Who a run's failure is laid to in an order's history. */
export const whoRan = (providerCode: string | null, stage: ProcessStage) =>
  stage === 'passed' || providerCode === null ? 'the core refund' : `the returns provider "${providerCode}"`;
