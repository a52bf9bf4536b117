/** A small generator of numbers from a seed: the same seed, the same day in the shop. */
export interface Chance {
  /** From 0 up to and without the bound. */
  below(bound: number): number;
  oneOf<Thing>(things: readonly [Thing, ...Thing[]]): Thing;
  /** True that often in a hundred. */
  percent(likelihood: number): boolean;
}

/** Mulberry32: short, even enough for a shop, and it fits in one line of a failure report. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    oneOf: (things) => things[below(things.length)] ?? things[0],
    percent: (likelihood) => next() * 100 < likelihood,
  };
}
