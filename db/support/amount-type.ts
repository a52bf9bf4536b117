import { Type } from '@mikro-orm/core';
import { formatAmount, money, type Amount } from '../../domain/money/amount.ts';
import { formatQuantity, parseQuantity, type Quantity } from '../../domain/money/quantity.ts';

/** numeric(20,4) in the database, `Amount` in code; no float in between. */
export class AmountType extends Type<Amount, string> {
  override convertToDatabaseValue(value: Amount | null | undefined): string {
    return value === null || value === undefined ? (value as unknown as string) : formatAmount(value);
  }
  override convertToJSValue(value: string | null | undefined): Amount {
    return value === null || value === undefined ? (value as unknown as Amount) : money(value);
  }
  override compareAsType(): string {
    return 'string';
  }
  /** The type of the value in code: without it `em.assign` would accept only the stored text. */
  override get runtimeType(): string {
    return 'number';
  }
  override getColumnType(): string {
    return 'numeric(20,4)';
  }
}

/** numeric(14,4) in the database, `Quantity` in code. */
export class QuantityType extends Type<Quantity, string> {
  override convertToDatabaseValue(value: Quantity | null | undefined): string {
    return value === null || value === undefined ? (value as unknown as string) : formatQuantity(value);
  }
  override convertToJSValue(value: string | null | undefined): Quantity {
    return value === null || value === undefined ? (value as unknown as Quantity) : parseStored(value);
  }
  override compareAsType(): string {
    return 'string';
  }
  /** The type of the value in code: without it `em.assign` would accept only the stored text. */
  override get runtimeType(): string {
    return 'number';
  }
  override getColumnType(): string {
    return 'numeric(14,4)';
  }
}

function parseStored(text: string): Quantity {
  const parsed = parseQuantity(text);
  if (parsed === undefined) throw new RangeError(`"${text}" is not a quantity`);
  return parsed;
}
