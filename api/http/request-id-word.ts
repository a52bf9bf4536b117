import type { HeaderWord } from './route.ts';

/** For routes that recognise a repeat by `X-Request-Id` when there is no `Idempotency-Key`. */
export const requestIdWord: HeaderWord = {
  name: 'X-Request-Id',
  description: `Without an \`Idempotency-Key\`, a repeat with the same id is the same request. Letters, digits and
    \`_ . : -\`, at most 64.`,
  example: 'register-7-return-2026-11-23-0001',
};
