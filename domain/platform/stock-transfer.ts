import { PosError, type InputError } from '../errors.ts';
import { none, type Quantity } from '../money/quantity.ts';

export interface StockTransfer {
  from: string;
  to: string;
  items: readonly { sku: string; qty: Quantity }[];
}

/** The sources and goods that a transfer names. */
export interface TransferFacts {
  sources: ReadonlySet<string>;
  /** The quantity at the origin, by sku. */
  atOrigin: ReadonlyMap<string, Quantity>;
}

/**
 * The reasons that forbid moving goods between two sources, all at once, in the platform's words (platform facts 14).
 */
export function transferErrors({ from, to, items }: StockTransfer, { sources, atOrigin }: TransferFacts): InputError[] {
  if (from === to) return [{ message: 'Cannot transfer a source on itself', parameters: [] }];
  const wanted = new Map<string, number>();
  for (const { sku, qty } of items) wanted.set(sku, (wanted.get(sku) ?? 0) + qty);
  const skus = [...wanted.keys()];
  const notAtOrigin = sources.has(from) ? skus.filter((sku) => !atOrigin.has(sku)) : skus;
  return [
    ...(sources.has(from) ? [] : [unknownSource('Origin', from)]),
    ...(sources.has(to) ? [] : [unknownSource('Destination', to)]),
    ...notAtOrigin.map((sku) => noItem(sku, from)),
    ...(sources.has(to) ? [] : skus.map((sku) => noItem(sku, to))),
    ...items
      .filter(({ qty }) => qty <= none)
      .map(({ sku }) => ({ message: 'The quantity of "%sku" must be greater than zero.', parameters: { sku } })),
    ...[...wanted]
      .filter(([sku, qty]) => qty > (atOrigin.get(sku) ?? qty))
      .map(([sku]) => ({ message: 'Requested transfer amount for sku %sku is not available', parameters: { sku } })),
  ];
}

const unknownSource = (which: 'Origin' | 'Destination', sourceCode: string): InputError => ({
  message: `${which} source %sourceCode does not exist`,
  parameters: { sourceCode },
});

const noItem = (sku: string, code: string): InputError => ({
  message: '%message',
  parameters: { message: `Source item for ${sku} and ${code} does not exist` },
});

/** The inventory's envelope for transfers: it has the list even for a single error (platform facts 2.2). */
export const transferRefused = (errors: readonly InputError[]) =>
  new PosError({ status: 400, message: 'Transfer validation failed', errors });
