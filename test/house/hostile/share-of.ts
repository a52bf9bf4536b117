const isWhole = process.env['EVERY_PAIR'] === '1';

/**
 * One in so many of all values, others with each route, and others again with the next; `EVERY_PAIR=1` sends
 * everything to every route.
 * @param route its place in the list of routes
 */
export const shareOf = <Value>(
  all: readonly Value[],
  { route, oneIn }: { route: number; oneIn: number },
): readonly Value[] => (isWhole ? all : all.filter((_value, at) => (at + route) % oneIn === 0));
