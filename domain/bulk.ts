/** The result of one operation of a bulk, as the platform's numbers. */
export const operationStatus = {
  complete: 1,
  /** A temporary refusal: a repeat may succeed. */
  failedForNow: 2,
  /** A refusal that every repeat would get again. */
  failed: 3,
  open: 4,
  /** Never started: its arguments are not valid. */
  rejected: 5,
} as const;

export type OperationStatus = (typeof operationStatus)[keyof typeof operationStatus];

/** The most operations of one bulk. */
export const mostOperations = 50_000;

/** The progress of a bulk. */
export interface BulkProgress {
  operations: number;
  complete: number;
  failed: number;
  rejected: number;
  /** No operation is open. */
  isDone: boolean;
}

/** One operation with its request, as a single call would have sent it. */
export interface BulkOperationToRun {
  bulkUuid: string;
  operationKey: number;
  /** `POST /V1/products`. */
  route: string;
  sources: OperationSources;
  store: { storeId: number; websiteId: number; code: string };
  caller: BulkCaller;
}

/** The arguments by their place in a single request. */
export interface OperationSources {
  path: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: Readonly<Record<string, unknown>>;
  /** In place of query and body, when one of them has a secret. */
  sealedArguments?: string;
}

/** The bulk's caller with the rights at this moment. */
export interface BulkCaller {
  userType: 'integration' | 'admin';
  userId: number;
  name: string;
  resources: readonly string[];
}

/** The result of an operation. */
export interface OperationEnd {
  status: OperationStatus;
  message: string | null;
  errorCode: number | null;
  /** The answer's JSON; null when it is too long or there is none. */
  result: string | null;
}
