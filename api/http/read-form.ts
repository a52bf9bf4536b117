import type { Context } from 'koa';
import { invalid, PosError } from '../../domain/errors.ts';
import { isStorableText } from '../../domain/storable-text.ts';
import { readBytes } from './read-bytes.ts';

const formNotStorable = () => invalid('The form has a character that no text can have. Type the text again.');

/** More than enough for a few short fields. */
export const maxFormBytes = 16_384;

const formType = /^application\/x-www-form-urlencoded(?: *; *charset="?utf-8"?)?$/i;

/**
 * The fields of a form that a page without scripts posts. Of a field sent twice the first counts.
 *
 * Refused with: 400 any other body, a text that cannot be stored · 413 more than 16 KB.
 */
export async function readForm(ctx: Context): Promise<(name: string) => string> {
  const bytes = await readBytes(ctx, maxFormBytes);
  if (bytes === 'too_large') throw new PosError({ status: 413, message: 'The form is too large.' });
  if (!formType.test(ctx.req.headers['content-type'] ?? '')) throw invalid('The form could not be read.');
  const fields = new URLSearchParams(Buffer.from(bytes).toString('utf8'));
  if (![...fields].flat().every(isStorableText)) throw formNotStorable();
  return (name) => fields.get(name) ?? '';
}
