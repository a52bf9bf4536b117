/** One request as a register sends it. */
export interface BenchRequest {
  method: 'GET' | 'POST';
  /** Under `/rest`. */
  path: string;
  body?: unknown;
}

/** A hot path: what is sent, and what is asked of it. */
export interface Scenario {
  name: string;
  /** Connections at once, one row of the table each. */
  loads: readonly Load[];
  /** Makes what the requests are about, through the API, before anything is recorded. */
  prepare?(send: (request: BenchRequest) => Promise<unknown>): Promise<void>;
  /** The request about one subject. What belongs to it alone carries its subject's digits, so that a replay can swap them. */
  request(subject: number): BenchRequest;
  /** Which subject the n-th request is about. */
  subjectOf(n: number): number;
}

export interface Load {
  connections: number;
  /** At least this much of the baseline's throughput; null where nobody set a target. */
  atLeast: number | null;
}
