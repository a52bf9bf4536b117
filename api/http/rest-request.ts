import type { IncomingMessage } from 'node:http';
import type { Refusal } from '../../domain/errors.ts';
import type { JsonStream } from '../wire/json-stream.ts';

/** One request under `/rest`, as far as HTTP matters. */
export interface RestRequest {
  method: string;
  /** After `/rest/`, still encoded. */
  path: string;
  queryString: string;
  incoming: IncomingMessage;
  requestId: string;
  setHeader: (name: string, value: string) => void;
  /** Called with the route's path for log lines, and with its own answer to a fault. */
  found?: (shown: () => string, fault?: Refusal) => void;
}

export interface RestAnswer {
  /** JSON text, in pieces. */
  body: readonly (string | Buffer)[] | JsonStream;
  isPrivate: boolean;
  /** 200, unless told. */
  status?: number;
}
