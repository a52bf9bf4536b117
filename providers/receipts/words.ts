import { languageOf, type Language } from '../../domain/languages.ts';
import { arabic } from './arabic.ts';
import { german } from './german.ts';
import { english, type Words } from './english.ts';

const byLanguage: Readonly<Record<Language, Words>> = { en: english, de: german, ar: arabic };

export const wordsOf = (locale: string): Words => byLanguage[languageOf(locale)];
