/** The headers that helmet would set, built once at start instead of per request. */
const common: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
];

/** For JSON: it must not be run, framed or shown as a page. */
export const jsonHeaders = [
  ...common,
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const;

/** For public pages, in addition to their own policy. */
export const publicHeaders = [
  ...common,
  ['X-Frame-Options', 'DENY'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
] as const;

/**
 * For the pages at `/docs`: only their own files. Swagger UI writes styles into its elements, GraphiQL's styles
 * contain fonts.
 */
export const pageHeaders = [
  ...publicHeaders,
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
] as const;

/** For a page behind a link in a mail: only its own text, and a button that posts to the same origin. */
export const formHeaders = [
  ...common,
  ['X-Frame-Options', 'DENY'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cache-Control', 'no-store'],
  [
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  ],
] as const;
