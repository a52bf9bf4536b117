import { shopKinds, type ShopKind, type ShopRecord } from './shop-records.ts';

/** One step from the shop as it is to the shop as it is wanted. */
export interface ShopChange {
  verb: 'add' | 'change' | 'remove';
  /** For `remove`: as it is. */
  record: ShopRecord;
  /** What differs, the old value first; of what is added the old values are absent. */
  differences: readonly { field: string; before?: unknown; after: unknown }[];
}

export interface ShopPlan {
  changes: readonly ShopChange[];
  /** What is there and is not wanted by name: left alone, unless the caller prunes. */
  extras: readonly ShopRecord[];
}

/**
 * What has to change for a shop to be as wanted. What a wanted record does not say stays as it is. Pure: the same two
 * shops give the same plan, and a shop that is as wanted gives an empty one.
 *
 * @param stated the kinds that are listed in full: only what is missing from such a list is an extra
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
  const extras = current.filter((record) => stated.has(record.kind) && !named.has(keyOf(record)));
  const removals = prunes
    ? shopKinds
        .toReversed()
        .flatMap((kind) => extras.filter((record) => record.kind === kind))
        .map((record): ShopChange => ({ verb: 'remove', record, differences: [] }))
    : [];
  return { changes: [...saves, ...removals], extras: prunes ? [] : extras };
}

/** Kinds have names of their own: a website and a source may both be called `base`. */
export const keyOf = ({ kind, name }: Pick<ShopRecord, 'kind' | 'name'>) => `${kind} ${name}`;

function saveOf(current: ShopRecord | undefined, record: ShopRecord): ShopChange[] {
  const before: Readonly<Record<string, unknown>> = current?.fields ?? {};
  const differences = Object.entries(record.fields)
    .filter(([field, after]) => after !== undefined && written(before[field]) !== written(after))
    .map(([field, after]) => ({ field, ...(current ? { before: before[field] } : {}), after }));
  if (!current) return [{ verb: 'add', record, differences }];
  return differences.length === 0 ? [] : [{ verb: 'change', record, differences }];
}

/** Values are the same when they are written the same; the order of an object's keys means nothing. */
function written(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}
