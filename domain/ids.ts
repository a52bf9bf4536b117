/** Ids are `bigint` in PostgreSQL and numbers in JSON, which are exact up to 2^53 - 1. */
export const largestId = Number.MAX_SAFE_INTEGER;

/** An id from its digits; undefined for what is none. */
export const idIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,15}$/.test(text) && Number(text) <= largestId ? Number(text) : undefined;
