import { conflict } from '../../domain/errors.ts';
import { builtInCode } from '../../domain/returns/built-in-code.ts';
import type { CreatedReturn, NewReturn } from './new-return.ts';
import type { ReturnRecord } from './return.repository.ts';

/**
 * 409 when the sale's return belongs to another order, or to a returns provider that the store does not use (spec
 * 4.8).
 */
export function reused(
  existing: ReturnRecord,
  {
    orderId,
    provider,
    providerCodes = [provider?.code ?? builtInCode],
  }: Pick<NewReturn, 'orderId' | 'provider' | 'providerCodes'>,
): CreatedReturn {
  const isOurs = existing.orderId === orderId && providerCodes.includes(existing.providerCode);
  if (isOurs) return { ...existing, isReused: true };
  const whose = existing.orderId === orderId ? `with the provider "${existing.providerCode}"` : 'of another order';
  throw conflict('sale_return_conflict', `The sale already has return ${existing.incrementId} ${whose}.`, {
    return_id: existing.returnId,
    order_id: existing.orderId,
    provider_code: existing.providerCode,
  });
}
