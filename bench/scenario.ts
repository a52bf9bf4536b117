import type { Recorded } from './replay.ts';

/** One request as a register sends it. */
export interface BenchRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** Under `/rest`, unless it says otherwise. */
  path: string;
  /** The path is not under `/rest`. */
  isOutside?: true;
  body?: unknown;
  headers?: Record<string, string>;
}

/** How a request is sent beforehand: what came back, and with which headers. */
export interface Sent {
  answer: unknown;
  headers: Headers;
}

export interface Preparation {
  send: (request: BenchRequest) => Promise<Sent>;
  /** For what takes too long by requests. */
  execute: <Row extends object = object>(sql: string) => Promise<Row[]>;
}

/** A hot path: what is sent, and what is asked of it. */
export interface Scenario {
  name: string;
  /** Connections at once, one row of the table each. */
  loads: readonly Load[];
  /** Makes what the requests are about, through the API, before anything is recorded. */
  prepare?(by: Preparation): Promise<void>;
  /** The request about one subject. What belongs to it alone carries its subject's digits, so that a replay can swap them. */
  request(subject: number): BenchRequest;
  /** What is sent next, by what was answered so far; undefined: that was all. The baseline does all of it in one request. */
  next?(subject: number, answers: readonly unknown[]): BenchRequest | undefined;
  /** Which subject the n-th request is about. */
  subjectOf(n: number): number;
  /**
   * What the baseline does beside taking the request: sends the same statements (unless told otherwise); sends them and
   * encodes the same answer twice; hands out the same bytes and asks nobody; or sends them, prepared, and then hands out
   * the same bytes.
   */
  plain?: 'statements' | 'encoded' | 'static' | 'read';
  /** Nothing may be written: then it is measured how many bytes go into the write-ahead log all the same. */
  readsOnly?: boolean;
  /** The statements the baseline sends, where the recorded ones would do nothing the second time. */
  edit?(recorded: Recorded[], subject: number): Recorded[];
}

export interface Load {
  connections: number;
  /** At least this much of the baseline's throughput; null where nobody set a target. */
  atLeast: number | null;
  /** Or at most so many times the baseline's time for a request. */
  atMost?: number;
}
