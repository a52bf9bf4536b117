/**
 * Whether a refusal is final, so that it is kept and replayed to every repeat.
 *
 * Not kept: a 401 is about the caller, a 408 or 429 about the moment, and after a 5xx the outcome is unknown. A 409
 * says that something is still under way; the repeat asks again for its end.
 */
export const isLastWord = (status: number): boolean => status < 500 && !passing.includes(status);

const passing: readonly number[] = [401, 408, 409, 425, 429];
