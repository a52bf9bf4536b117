/** The largest integer of PostgreSQL, and so of the ids. */
export const largestId = 2_147_483_647;

/** An id from its digits; undefined for what is none. */
export const idIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,9}$/.test(text) && Number(text) <= largestId ? Number(text) : undefined;
