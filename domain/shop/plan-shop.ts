import { isOfPlatform } from '../platform/catalog/product-attributes.ts';
import { shopKinds, type ShopKind, type ShopRecord } from './shop-records.ts';

/** One step from the shop as it is to the shop as it is wanted. */
export interface ShopChange {
  verb: 'add' | 'change' | 'remove';
  /** For `remove`: the existing record. */
  record: ShopRecord;
  /** What differs, with old and new value; a new record has no old values. */
  differences: readonly { field: string; before?: unknown; after: unknown }[];
}

export interface ShopPlan {
  changes: readonly ShopChange[];
  /** Existing records that the file does not name. They stay, unless the caller prunes. */
  extras: readonly ShopRecord[];
}

/**
 * The changes that make a shop as wanted. What a wanted record leaves out stays as it is. A pure function; a shop that
 * is already as wanted gives an empty plan.
 *
 * @param stated the kinds that are listed in full: only their missing records are extras
 */
export function planShop(
  current: readonly ShopRecord[],
  wanted: readonly ShopRecord[],
  { stated, prunes }: { stated: ReadonlySet<ShopKind>; prunes: boolean },
): ShopPlan {
  const known = new Map(current.map((record) => [keyOf(record), record]));
  const named = new Set(wanted.map(keyOf));
  const saves = shopKinds.flatMap((kind) =>
    wanted.filter((record) => record.kind === kind).flatMap((record) => saveOf(known.get(keyOf(record)), record)),
  );
  const extras = current
    .filter((record) => stated.has(record.kind) && !named.has(keyOf(record)))
    .filter((record) => !isAlwaysThere(record));
  const removals = prunes
    ? shopKinds
        .toReversed()
        .flatMap((kind) => extras.filter((record) => record.kind === kind))
        .map((record): ShopChange => ({ verb: 'remove', record, differences: [] }))
    : [];
  return { changes: [...saves, ...removals], extras: prunes ? [] : extras };
}

/** The platform never lacks them, so a file need not name them. */
const isAlwaysThere = (record: ShopRecord) =>
  ['source default', 'attributeSet Default'].includes(keyOf(record)) ||
  (record.kind === 'attribute' && isOfPlatform(record.name));

/** The key has the kind, because a website and a source may both be called `base`. */
export const keyOf = ({ kind, name }: Pick<ShopRecord, 'kind' | 'name'>) => `${kind} ${name}`;

function saveOf(current: ShopRecord | undefined, record: ShopRecord): ShopChange[] {
  const before: Readonly<Record<string, unknown>> = current?.fields ?? {};
  const differences = Object.entries(record.fields)
    .filter(([field, after]) => after !== undefined && written(before[field]) !== written(after))
    .map(([field, after]) => ({ field, ...(current ? { before: before[field] } : {}), after }));
  if (!current) return [{ verb: 'add', record, differences }];
  return differences.length === 0 ? [] : [{ verb: 'change', record, differences }];
}

/** Two values are the same when this text is the same; the order of an object's keys does not matter. */
function written(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
