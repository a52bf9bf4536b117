/**
 * The Mann-Whitney test of two large samples. It assumes nothing else about their distribution.
 *
 * @returns the probability that samples of one population differ at least so much, in either direction
 */
export function rankSumPValue(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))];
  all.sort((a, b) => a.value - b.value);
  let rankSum = 0;
  let tied = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]?.value === all[from]?.value) to++;
    const rank = (from + 1 + to) / 2;
    rankSum += rank * all.slice(from, to).filter(({ isOne }) => isOne).length;
    tied += (to - from) ** 3 - (to - from);
    from = to;
  }
  const [n, m, total] = [one.length, other.length, all.length];
  const u = rankSum - (n * (n + 1)) / 2;
  const deviation = Math.sqrt(((n * m) / 12) * (total + 1 - tied / (total * (total - 1))));
  return deviation === 0 ? 1 : 2 * upperTail(Math.abs(u - (n * m) / 2) / deviation);
}

/** Of the normal distribution, by the continued fraction's usual approximation (Abramowitz and Stegun 26.2.17). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.231_641_9 * z);
  const series =
    t * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
  return (Math.exp(-(z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
