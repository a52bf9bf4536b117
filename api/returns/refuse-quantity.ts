import { invalid } from '../../domain/errors.ts';
import { none, quantityToWire, type Quantity } from '../../domain/money/quantity.ts';

/** 400, in the platform's words, for a quantity that is nothing or less. */
export function refuseUnlessSome(fieldName: string, qty: Quantity): void {
  if (qty > none) return;
  throw invalid('The %fieldName value of "%value" must be greater than %minValue.', {
    fieldName,
    value: quantityToWire(qty),
    minValue: 0,
  });
}

/** 400, in the platform's words, for a quantity below nothing; one that was not told is fine. */
export function refuseNegative(fieldName: string, qty: Quantity | undefined): void {
  if (qty === undefined || qty >= none) return;
  throw invalid('The %fieldName value of "%value" must be greater than or equal to %minValue.', {
    fieldName,
    value: quantityToWire(qty),
    minValue: 0,
  });
}
