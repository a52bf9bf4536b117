import { arabic } from './arabic.ts';
import { german } from './german.ts';
import { english, type Words } from './english.ts';

/** The languages that receipts and their pages are written in. */
export const languages = ['en', 'de', 'ar'] as const;
export type Language = (typeof languages)[number];

const byLanguage: Readonly<Record<Language, Words>> = { en: english, de: german, ar: arabic };

/** English for a language without a word list. */
export function languageOf(locale: string): Language {
  const [spoken] = locale.toLowerCase().split(/[-_]/);
  return languages.find((one) => one === spoken) ?? 'en';
}

export const wordsOf = (locale: string): Words => byLanguage[languageOf(locale)];
