import { p } from '@mikro-orm/core';
import type { Amount } from '../../domain/money/amount.ts';
import { baseNameOf } from '../../domain/money/twins.ts';
import type { Quantity } from '../../domain/money/quantity.ts';
import { AmountType, QuantityType } from './amount-type.ts';

/** Column builders for what most tables have. */

export const amountColumn = () => p.type(AmountType).$type<Amount>();
export const quantityColumn = () => p.type(QuantityType).$type<Quantity>();

const optionalAmount = () => amountColumn().nullable();
const zeroAmount = () =>
  amountColumn()
    .defaultRaw('0')
    .onCreate(() => 0 as Amount);
const zeroQuantity = () =>
  quantityColumn()
    .defaultRaw('0')
    .onCreate(() => 0 as Quantity);

const named = <const Name extends string, Column>(names: readonly Name[], column: () => Column) =>
  Object.fromEntries(names.map((name) => [name, column()])) as Record<Name, Column>;

/** Money that may be absent, one column per name. */
export const optionalAmounts = <const Name extends string>(...names: readonly Name[]) => named(names, optionalAmount);
/** Money that counts up from zero. */
export const zeroAmounts = <const Name extends string>(...names: readonly Name[]) => named(names, zeroAmount);
export const zeroQuantities = <const Name extends string>(...names: readonly Name[]) => named(names, zeroQuantity);
export const optionalTexts = <const Name extends string>(...names: readonly Name[]) =>
  named(names, () => p.string().length(255).nullable());
export const optionalIntegers = <const Name extends string>(...names: readonly Name[]) =>
  named(names, () => p.integer().nullable());

/** The same names with the platform's `base` in front: every figure exists in both currencies. */
export const basePrefixed = <const Name extends string>(...names: readonly Name[]) => names.map(baseNameOf);
