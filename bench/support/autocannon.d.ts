/** The part of autocannon that we use; it has no types. */
declare module 'autocannon' {
  export interface CannonRequest {
    method?: string;
    path?: string;
    headers?: Record<string, string>;
    body?: string;
    setupRequest?: (request: CannonRequest) => CannonRequest;
  }

  export interface CannonOptions {
    url: string;
    connections: number;
    duration: number;
    timeout?: number;
    requests: CannonRequest[];
  }

  export interface CannonResult {
    requests: { average: number; total: number };
    latency: { p50: number; p99: number };
    errors: number;
    timeouts: number;
    '4xx': number;
    '5xx': number;
  }

  export default function autocannon(options: CannonOptions): Promise<CannonResult>;
}
