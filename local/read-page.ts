import { readFileSync } from 'node:fs';

/** Reads a page of ours once: one file with everything in it, so that it needs nothing from anywhere. */
export function readPage(file: URL, parts: Record<string, string> = {}): string {
  const style = readFileSync(new URL('page.css', import.meta.url), 'utf8');
  const all: Record<string, string> = { style: `<style>${style}</style>`, ...parts };
  return readFileSync(file, 'utf8').replaceAll(/<!-- (\w+) -->/g, (_, name: string) => all[name] ?? '');
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
