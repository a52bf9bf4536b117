import { conflict, invalid, PosError } from './errors.ts';

/** The request header that names a request, so that it is carried out only once (IETF httpapi draft). */
export const idempotencyHeader = 'Idempotency-Key';

/** Printable ASCII; users of the draft take at most 255 characters. */
const pattern = /^[\x20-\x7e]{1,255}$/;

/** Refused with: 400 `idempotency_key_invalid`: an empty key, one that is too long, other characters. */
export function readIdempotencyKey(input: string): string {
  if (pattern.test(input)) return input;
  throw invalid('The Idempotency-Key header must be 1 to 255 printable characters.', {
    outcome: 'idempotency_key_invalid',
  });
}

/** 422, as in the draft: the key already belongs to another request. This request did nothing. */
export const keyReused = () =>
  new PosError({
    status: 422,
    message: 'This Idempotency-Key was sent with another request. Nothing was done; use a new key for a new request.',
    parameters: { outcome: 'idempotency_key_reused' },
  });

/** The code of `keyInUse`. */
export const inUse = 'idempotency_key_in_use';

/** 409: the same request is being carried out now. */
export const keyInUse = () =>
  conflict(inUse, 'The same request is still being carried out. Send it again in a moment.');

/** 409: the request was carried out, but its answer could not be kept. It was too long, or there is no secret key. */
export const answerNotStored = () =>
  conflict(
    'idempotency_answer_not_kept',
    'This request was carried out. Its answer was not kept; read the record. Nothing was done again.',
  );

/**
 * Whether a refusal is final, so that it is kept and replayed to every repeat.
 *
 * Not kept: a 401 is about the caller, a 408 or 429 about the moment, and after a 5xx the outcome is unknown. A 409
 * says that something is still under way; the repeat asks again for its end.
 */
export const isLastWord = (status: number): boolean => status < 500 && !passing.includes(status);

const passing: readonly number[] = [401, 408, 409, 425, 429];
