/**
 * Age in whole years on a day; both dates are `YYYY-MM-DD`. A person born on 29 February turns a year older on 1
 * March.
 */
export function completedYears(born: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(born.slice(0, 4));
  return today.slice(5) < born.slice(5) ? years - 1 : years;
}
