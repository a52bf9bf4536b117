import { conflict, invalid, PosError } from '../errors.ts';

/** The request header by which a caller names a request, so that it is carried out once (IETF httpapi draft). */
export const idempotencyHeader = 'Idempotency-Key';

/** Printable ASCII; 255 is what the draft's users take. */
const pattern = /^[\x20-\x7e]{1,255}$/;

/** Refused with: 400 `idempotency_key_invalid`, an empty key, a longer one, other characters. */
export function readIdempotencyKey(given: string): string {
  if (pattern.test(given)) return given;
  throw invalid('The Idempotency-Key header must be 1 to 255 printable characters.', {
    outcome: 'idempotency_key_invalid',
  });
}

/** 422, as the draft has it: the same key names another request. Nothing was done for this one. */
export const keyReused = () =>
  new PosError({
    status: 422,
    message: 'This Idempotency-Key was sent with another request. Nothing was done; use a new key for a new request.',
    parameters: { outcome: 'idempotency_key_reused' },
  });

/** 409: the same request is being carried out at this moment. */
export const keyInUse = () =>
  conflict('idempotency_key_in_use', 'The same request is still being carried out. Send it again in a moment.');

/** 409: the request was carried out, and its answer could not be kept: it was too long, or there is no secret key. */
export const answerNotKept = () =>
  conflict(
    'idempotency_answer_not_kept',
    'This request was carried out. Its answer was not kept; read the record. Nothing was done again.',
  );
