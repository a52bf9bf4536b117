import { en, type Words } from './english-words.ts';
import { de } from './german-words.ts';

/** What the operator's pages say, in English and German. */

export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

const all: Readonly<Record<Language, Words>> = { en, de };

export const wordsOf = (language: Language): Words => all[language];

/** The reader's own choice, else the first of the browser's languages that we speak. */
export function languageOf(chosen: string | undefined, accepted = ''): Language {
  const wished = [chosen ?? '', ...accepted.split(',').map((one) => one.trim().slice(0, 2).toLowerCase())];
  return wished.flatMap((wish) => languages.filter((one) => one === wish))[0] ?? 'en';
}
