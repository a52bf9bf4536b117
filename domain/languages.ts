/** The languages that receipts, their pages and letters are written in. */
export const languages = ['en', 'de', 'ar'] as const;
export type Language = (typeof languages)[number];

/** English for a language without words of its own. */
export function languageOf(locale: string): Language {
  const [spoken] = locale.toLowerCase().split(/[-_]/);
  return languages.find((one) => one === spoken) ?? 'en';
}
