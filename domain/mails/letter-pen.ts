import { besideIn, isolatedIn, type Beside } from '../beside.ts';
import { languageOf, type Language } from '../languages.ts';
import { toWire, type Amount } from '../money/amount.ts';
import { priceText } from '../money/price-text.ts';
import { arabicLetters } from './arabic-letters.ts';
import { germanLetters } from './german-letters.ts';
import { englishLetters, type LetterWords } from './letter-words.ts';

/** What a letter is written with, by the locale of its customer's store view, as a receipt is. */
export interface LetterPen {
  words: LetterWords;
  /** A value of another source within a sentence. */
  value: (text: string) => string;
  /** Texts of several sources side by side. */
  beside: Beside;
  price: (amount: Amount, currencyCode: string) => string;
}

const byLanguage: Readonly<Record<Language, LetterWords>> = {
  en: englishLetters,
  de: germanLetters,
  ar: arabicLetters,
};

export function letterPenOf(locale: string): LetterPen {
  const language = languageOf(locale);
  const direction = language === 'ar' ? 'rtl' : 'ltr';
  return {
    words: byLanguage[language],
    value: (text) => isolatedIn(direction, text),
    beside: besideIn(direction),
    price: (amount, currencyCode) =>
      language === 'en' ? priceText(amount, currencyCode) : priceIn(locale, amount, currencyCode),
  };
}

/** `54,00 €`. A price finer than the currency's coin keeps its decimals. */
const priceIn = (locale: string, amount: Amount, currency: string): string =>
  new Intl.NumberFormat(locale.replaceAll('_', '-'), { style: 'currency', currency, maximumFractionDigits: 4 }).format(
    toWire(amount),
  );
