/**
 * Whether a refusal stays what it is, however often the request is sent: then it is kept and replayed.
 *
 * A 401 is about the caller, a 408 or 429 about the moment, and a 5xx says that nobody knows. A 409 says that something
 * is still under way: the same request asks again how it ended.
 */
export const isLastWord = (status: number): boolean => status < 500 && !passing.includes(status);

const passing: readonly number[] = [401, 408, 409, 425, 429];
