type Values = Record<string, unknown>;

/** More keys than this become a hash table, when they are put into an empty object one by one. */
const mostInSmall = 16;
const mostInWide = 80;

/**
 * An empty record for so many keys, whose names are not known to the compiler.
 *
 * V8 makes a hash table of an object to which many keys are added one by one: several times the garbage, and slow for
 * all that read it. It looks at how often the constructor of an object assigns to `this`, and leaves room for as many
 * keys.
 */
export const emptyRecord = (keys: number): Values => (keys > mostInSmall ? new Wide() : {});

/** Makes plain objects. What it would assign is only counted. */
const Wide = function (this: { k: unknown }, isCounted: boolean) {
  // oxfmt-ignore
  if (isCounted) {
    this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k =
    this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k =
    this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k =
    this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k =
    this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k =
    this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k =
    this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = this.k = undefined;
  }
} as unknown as new () => Values;
Wide.prototype = Object.prototype;

/** After its first seven objects V8 takes away the room that none of them has used. */
for (let made = 0; made < 8; made++) {
  const full = new Wide();
  for (let key = 0; key < mostInWide; key++) full[`k${key}`] = key;
}
