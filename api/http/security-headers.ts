/** What helmet would set, written once at start instead of once per request. */
const common: readonly (readonly [string, string])[] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Strict-Transport-Security', 'max-age=31536000; includeSubDomains'],
];

/** For JSON: nothing in it may be run, framed or taken for a page. */
export const jsonHeaders = [
  ...common,
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
] as const;

/** For pages that everybody may see, whatever their own policy is. */
export const publicHeaders = [
  ...common,
  ['X-Frame-Options', 'DENY'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
] as const;

/** For the pages at `/docs`: their own files only. Swagger UI writes styles into its elements, GraphiQL's styles have fonts. */
export const pageHeaders = [
  ...publicHeaders,
  [
    'Content-Security-Policy',
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
] as const;

/** For a page that a link in a mail leads to: nothing but its own text, and a button that sends to where it came from. */
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
