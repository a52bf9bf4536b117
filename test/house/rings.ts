/** Who needs whom, by name. */
export type Needs = ReadonlyMap<string, ReadonlySet<string>>;

/** Adds what `from` needs. */
export const need = (needs: Map<string, Set<string>>, from: string, to: string) =>
  needs.set(from, (needs.get(from) ?? new Set()).add(to));

/**
 * What is left of a structure when everything is taken out that needs nothing left, or that nothing left needs: rings,
 * and what stands between two rings. One line for each.
 */
export function ringsIn(needs: Needs): string[] {
  const left = new Map(needs);
  for (let before = -1; before !== left.size;) {
    before = left.size;
    const needed = new Set([...left.values()].flatMap((others) => [...others]));
    for (const [name, others] of left)
      if (!needed.has(name) || ![...others].some((other) => left.has(other))) left.delete(name);
  }
  return [...left].map(
    ([name, others]) => `${name} needs ${[...others].filter((other) => left.has(other)).join(', ')}`,
  );
}
