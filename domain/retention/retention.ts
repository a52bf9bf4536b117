/**
 * How long what is no longer needed is kept, in days; our choice, all of it. Counted from the moment named beside it.
 *
 * Never removed: orders, memos, attempts, returns with their histories, receipts, ledgers, audit lines (spec 8). Telemetry
 * has a night of its own, by the merchant's setting. Versions of content are counted, not dated.
 */
export const keptDays = {
  /** What a person wrote beside a request that a crash left behind: since it was written. */
  note: 7,
  /** What a terminal printed for a settle, once the return has ended and the transaction row has it. */
  spentPayload: 1,
  /** The same for a settle that never came to its end. */
  payload: 7,
  /** A token, since it expired or was revoked: its line in the list explains a 401 for that long. */
  accessToken: 30,
  /** A nonce, since it expired; signed requests themselves take most of them away. */
  nonce: 1,
  /** A cashier's session, since it expired. */
  staffSession: 30,
  /** Wrong guesses, since the first of them; they stop counting after a day. */
  loginFailure: 7,
  /** Wrong passwords of a user name, since the last of them or the end of the lock. */
  tokenThrottle: 30,
  /** A request with an `Idempotency-Key` and its answer, since it came first: longer than any shop is closed. */
  keyedRequest: 7,
  /** A receipt's PDF, since it was made: it is made anew for whoever asks later. */
  receiptPdf: 2,
  /** Attempts in a window, since it ended. */
  rateLimit: 1,
  /** How far a block's places were rendered, since all were. One with failures stays until the block changes. */
  contentRenewal: 30,
  /** A bulk with what its operations came to, since the last of them. */
  bulk: 60,
  /** A mail that was sent or dropped, since then; as long as its question is open, it stays. */
  mail: 90,
} as const;

export type KeptFor = keyof typeof keptDays;
