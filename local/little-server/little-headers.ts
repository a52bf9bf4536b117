import { hash } from 'node:crypto';

/** Headers of every answer of a little server: its content cannot be run, framed, guessed, or read by another site. */
export const littleHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
};

/**
 * The policy of our own page: only its own scripts, by their digests. A mail is shown in a frame that inherits the
 * policy: it may contain styles and pictures, but load nothing.
 */
export function pagePolicy(html: string): string {
  const scripts = html.split('<script>').slice(1);
  const known = scripts.map((from) => `'sha256-${hash('sha256', from.split('</script>')[0] ?? '', 'base64')}'`);
  return [
    "default-src 'none'",
    `script-src ${known.join(' ') || "'none'"}`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
