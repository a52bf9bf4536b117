import type { Recorded } from './replay.ts';

/** A register's request. */
export interface BenchRequest {
  method: 'GET' | 'POST' | 'PUT';
  /** Under `/rest`, unless it says otherwise. */
  path: string;
  /** The path is not under `/rest`. */
  isOutside?: true;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Sends a preparing request and returns the answer and its headers. */
export interface Sent {
  answer: unknown;
  headers: Headers;
}

export interface Preparation {
  send: (request: BenchRequest) => Promise<Sent>;
  /** For preparations that would take too long by requests. */
  execute: <Row extends object = object>(sql: string) => Promise<Row[]>;
}

/** A hot path: its request, and its target. */
export interface Scenario {
  name: string;
  /** Numbers of concurrent connections, one table row each. */
  loads: readonly Load[];
  /** Creates the subjects of the requests, through the API, before anything is recorded. */
  prepare?(by: Preparation): Promise<void>;
  /** The request for one subject. Values that belong to it contain its digits, so that a replay can replace them. */
  request(subject: number): BenchRequest;
  /**
   * What is sent next, by what was answered so far; undefined: that was all. The baseline does all of it in one
   * request.
   */
  next?(subject: number, answers: readonly unknown[]): BenchRequest | undefined;
  /** Which subject the n-th request is about. */
  subjectOf(n: number): number;
  /**
   * What the baseline does with a request: sends the same statements (the default); sends them and encodes the same
   * answer twice; answers the same bytes without a statement; or sends them, prepared, and then answers the same
   * bytes.
   */
  plain?: 'statements' | 'encoded' | 'static' | 'read';
  /** It must write nothing: then the bytes written into the write-ahead log are measured. */
  readsOnly?: boolean;
  /** The statements for the baseline, where the recorded ones would do nothing the second time. */
  edit?(recorded: Recorded[], subject: number): Recorded[];
}

export interface Load {
  connections: number;
  /** The minimum share of the baseline's throughput; null without a target. */
  atLeast: number | null;
  /** Or the maximum multiple of the baseline's time for a request. */
  atMost?: number;
}
