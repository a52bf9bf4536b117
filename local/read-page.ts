import { readFileSync } from 'node:fs';

/** Reads one of our pages once: a single file with all its parts, so that it loads nothing. */
export function readPage(file: URL, parts: Record<string, string> = {}): string {
  const style = readFileSync(new URL('page.css', import.meta.url), 'utf8');
  const all: Record<string, string> = { style: `<style>${style}</style>`, ...parts };
  return readFileSync(file, 'utf8').replaceAll(/<!-- (\w+) -->/g, (_, name: string) => all[name] ?? '');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
