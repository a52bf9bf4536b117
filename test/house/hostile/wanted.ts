/** What a route's sample call has of its own. */
export type Wanted = { params?: Record<string, string | number>; body?: unknown; token?: string };
