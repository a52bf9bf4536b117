/** What every request to a workflow carries beside its own fields. */
export interface Command {
  /** The same for every run of a request under one `Idempotency-Key`, and new for any other. */
  operationKey: string;
  /** Until then its work may begin, by the database's clock. */
  beginBefore: string;
  /** Who asked, by the name of the token: shown to people, never decided by. */
  by: string;
  /** The `X-Request-Id`, as in log lines. */
  requestId: string;
}
