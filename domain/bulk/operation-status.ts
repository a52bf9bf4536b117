/** What became of one operation of a bulk, by the platform's numbers. */
export const operationStatus = {
  complete: 1,
  /** Not now; a repeat of the same may go well. */
  failedForNow: 2,
  /** Refused; the same again is refused again. */
  failed: 3,
  open: 4,
  /** Never begun: its arguments cannot be read. */
  rejected: 5,
} as const;

export type OperationStatus = (typeof operationStatus)[keyof typeof operationStatus];

/** The largest bulk: more comes in several. */
export const mostOperations = 50_000;

/** How far a bulk is, for its page and for people. */
export interface BulkProgress {
  operations: number;
  complete: number;
  failed: number;
  rejected: number;
  /** Nothing is open any more. */
  isDone: boolean;
}

/** One operation as it is carried out: what a single request would have said. */
export interface BulkOperationToRun {
  bulkUuid: string;
  operationKey: number;
  /** `POST /V1/products`. */
  route: string;
  sources: OperationSources;
  store: { storeId: number; websiteId: number; code: string };
  caller: BulkCaller;
}

/** The arguments, by where a single request would have had them. */
export interface OperationSources {
  path: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>>;
  /** In place of a body with a password. */
  sealedBody?: string;
}

/** Who asked, with what they may do at this moment. */
export interface BulkCaller {
  userType: 'integration' | 'admin';
  userId: number;
  name: string;
  resources: readonly string[];
}

/** What an operation came to. */
export interface OperationEnd {
  status: OperationStatus;
  message: string | null;
  errorCode: number | null;
  /** The answer's JSON, as far as it is kept. */
  result: string | null;
}
