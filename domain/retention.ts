/**
 * How many days rows are kept that are no longer needed; all of it is our choice. Counted from the moment named
 * beside each.
 *
 * Never removed: orders, memos, attempts, returns with their histories, receipts, ledgers, audit lines (spec 8), register reports.
 * Telemetry has a job of its own, by the merchant's setting. Versions of content are limited by number, not by age.
 */
export const storedDays = {
  /** The note beside a request that a crash interrupted: since it was written. */
  note: 7,
  /** A terminal's output for a settle: since the return ended and the transaction row has a copy. */
  spentPayload: 1,
  /** The same for a settle that never finished. */
  payload: 7,
  /** A token, since it expired or was revoked: during that time the list still explains a 401. */
  accessToken: 30,
  /** A nonce, since it expired; later signed requests already delete most of them. */
  nonce: 1,
  /** A cashier's session, since it expired. */
  staffSession: 30,
  /** Wrong passcodes, since the first of them; they stop counting after a day. */
  loginFailure: 7,
  /** Wrong passwords of a user name, since the last of them or the end of the lock. */
  tokenThrottle: 30,
  /** A request with an `Idempotency-Key` and its answer, since it arrived: longer than any shop is closed. */
  keyedRequest: 7,
  /** A receipt's PDF, since it was made: a later request makes it again. */
  receiptPdf: 2,
  /** The token of a forgotten password, since it expired: during that time its answer says so. */
  passwordReset: 1,
  /** Attempts in a rate window, since its end. */
  rateLimit: 1,
  /** Progress of rendering a block's places, since all were done. A row with failures stays until the block changes. */
  contentRenewal: 30,
  /** A bulk with what its operations came to, since the last of them. */
  bulk: 60,
  /** An event, with its deliveries and their attempts, since it happened; the newest one stays. */
  event: 30,
  /** What was promised to an order and came to nothing, since its last movement. */
  endedPromise: 1,
  /** A mail that was sent or dropped, since then; as long as its question is open, it stays. */
  mail: 90,
} as const;

export type StoredFor = keyof typeof storedDays;
