/** How old somebody is on a day, in whole years; both are `YYYY-MM-DD`. Born on 29 February: a year older on 1 March. */
export function completedYears(born: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4));
  return today.slice(5) < born.slice(5) ? years - 1 : years;
}
