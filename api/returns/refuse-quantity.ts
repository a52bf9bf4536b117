import { invalid } from '../../domain/errors.ts';
import { none, quantityToWire, type Quantity } from '../../domain/money/quantity.ts';

/** 400, in the platform's words, for a quantity of zero or less. */
export function refuseUnlessSome(fieldName: string, qty: Quantity): void {
  if (qty > none) return;
  throw invalid('The %fieldName value of "%value" must be greater than %minValue.', {
    fieldName,
    value: quantityToWire(qty),
    minValue: 0,
  });
}

/** 400, in the platform's words, for a negative quantity; an absent one is fine. */
export function refuseNegative(fieldName: string, qty: Quantity | undefined): void {
  if (qty === undefined || qty >= none) return;
  throw invalid('The %fieldName value of "%value" must be greater than or equal to %minValue.', {
    fieldName,
    value: quantityToWire(qty),
    minValue: 0,
  });
}
