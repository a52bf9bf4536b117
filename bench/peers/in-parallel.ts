const atOnce = 8;

/** Calls a function `count` times, eight at once. The results are in order. */
export async function inParallel<Got>(count: number, one: (n: number) => Promise<Got>): Promise<Got[]> {
  const got: Got[] = Array.from({ length: count });
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < count; n = next++) got[n] = await one(n);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker));
  return got;
}
