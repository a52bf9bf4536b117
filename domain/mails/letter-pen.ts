import { besideIn, isolatedIn, type Beside } from '../beside.ts';
import { languageOf, type Language } from '../languages.ts';
import { priceText } from '../currency-texts.ts';
import { quantityToWire, toWire, type Amount, type Quantity } from '../money.ts';
import type { ShownOption } from '../platform/catalog/entered-options.ts';
import { englishLetters, type Letter, type LetterWords, type MailedDocument } from './letters.ts';

/** The words of letters in Arabic. */
const arabicLetters: LetterWords = {
  greeting: 'مرحباً،',
  newPassword: ({ shop, hours }) => ({
    subject: `كلمة مرور جديدة لدى ${shop}`,
    before: 'طلب أحدهم كلمة مرور جديدة لحسابكم. يمكنكم تعيينها هنا:',
    after: [
      `يعمل الرابط مرة واحدة، وصلاحيته بالساعات: ${hours}. إن لم تطلبوا ذلك فلا داعي لفعل شيء: تبقى كلمة مروركم كما هي.`,
    ],
  }),
  confirmAccount: ({ shop }) => ({
    subject: `يرجى تأكيد حسابكم لدى ${shop}`,
    before: 'فتح أحدهم حساباً بهذا البريد الإلكتروني. إن كنتم أنتم، فأكدوا ذلك هنا، ثم يمكنكم تسجيل الدخول:',
    after: ['إن لم تكونوا أنتم فلا داعي لفعل شيء: لن يستطيع أحد تسجيل الدخول.'],
  }),
  confirmNewsletter: ({ shop, days }) => ({
    subject: `يرجى تأكيد اشتراككم في نشرة ${shop}`,
    before: `طلب أحدهم إرسال نشرة ${shop} إلى هذا العنوان. إن كنتم تريدونها فأكدوا ذلك هنا:`,
    after: [`صلاحية الرابط بالأيام: ${days}. إن لم تريدوها فلا داعي لفعل شيء: لن تصلكم.`],
  }),
  oneTimeCode: ({ shop, seconds }) => ({
    subject: `رمز تسجيل الدخول لدى ${shop}`,
    before: 'يريد أحدهم تسجيل الدخول ببريدكم الإلكتروني عند أحد أجهزتنا. الرمز هو',
    after: [
      `يعمل مرة واحدة، على ذلك الجهاز، خلال ${durationText(seconds)} من طلبه.`,
      '',
      'إن لم تكونوا أنتم فلا داعي لفعل شيء: لا يستطيع أحد تسجيل الدخول دون الرمز.',
      'لن يطلبه منكم أي من موظفينا أبداً.',
    ],
  }),
  documents: {
    order: { subject: (order) => `طلبكم ${order}`, opening: (order) => `هذا طلبكم ${order}` },
    invoice: {
      subject: (order, invoice) => `الفاتورة ${invoice} لطلبكم ${order}`,
      opening: (order, invoice) => `هذه الفاتورة ${invoice} لطلبكم ${order}`,
    },
    shipment: {
      subject: (order) => `طلبكم ${order} في الطريق`,
      opening: (order, shipment) => `سُلّمت الشحنة ${shipment} من طلبكم ${order}`,
    },
    creditmemo: {
      subject: (order, memo) => `إشعار دائن ${memo} لطلبكم ${order}`,
      opening: (order, memo) => `هذا الإشعار الدائن ${memo} لطلبكم ${order}`,
    },
  },
  more: (lines) => `وأسطر أخرى عددها ${lines}`,
  total: 'الإجمالي',
  tracking: 'رقم التتبع',
  refund: {
    subject: (order) => `استرداد المبلغ لطلبكم ${order}`,
    opening: (sum, order) => `رددنا لكم ${sum} عن طلبكم ${order}`,
    memo: (number) => `رقم الإشعار الدائن ${number}.`,
    went: {
      original_payment: 'إلى البطاقة التي دفعتم بها؛ قد يستغرق ظهوره لدى مصرفكم بضعة أيام',
      terminal: 'إلى بطاقتكم، على الجهاز في المتجر',
      store_credit: 'كرصيد في المتجر',
      cash: 'نقداً',
      exchange: 'مقابل الاستبدال',
      manual_card: 'إلى بطاقتكم',
    },
    backTo: {
      store_credit: 'أُعيد إلى رصيدكم في المتجر',
      gift_card: 'أُعيد إلى بطاقة الهدية',
      reward_points: 'أُعيد إلى نقاط مكافآتكم',
    },
    points: (count) => `${count} نقطة`,
  },
};

const durationText = (seconds: number): string =>
  seconds < 120 ? `${seconds} ثانية` : `${Math.floor(seconds / 60)} دقيقة`;

/** The words of letters in German. */
const germanLetters: LetterWords = {
  greeting: 'Guten Tag,',
  newPassword: ({ shop, hours }) => ({
    subject: `Ein neues Passwort für ${shop}`,
    before: 'jemand hat ein neues Passwort für Ihr Konto angefordert. Hier können Sie es festlegen:',
    after: [
      `Der Link gilt einmal, ${hours} Stunden lang. Wenn Sie das nicht waren, müssen Sie nichts tun: Ihr Passwort bleibt.`,
    ],
  }),
  confirmAccount: ({ shop }) => ({
    subject: `Bitte bestätigen Sie Ihr Konto bei ${shop}`,
    before:
      'jemand hat mit dieser E-Mail-Adresse ein Konto eröffnet. Wenn Sie das waren, bestätigen Sie es hier; ' +
      'danach können Sie sich anmelden:',
    after: ['Wenn Sie das nicht waren, müssen Sie nichts tun: Niemand kann sich anmelden.'],
  }),
  confirmNewsletter: ({ shop, days }) => ({
    subject: `Bitte bestätigen Sie Ihren Newsletter von ${shop}`,
    before: `jemand hat uns gebeten, den Newsletter von ${shop} an diese Adresse zu senden. Wenn Sie ihn möchten, bestätigen Sie das hier:`,
    after: [
      `Der Link gilt ${days} Tage lang. Wenn Sie den Newsletter nicht möchten, müssen Sie nichts tun: Sie bekommen ihn nicht.`,
    ],
  }),
  oneTimeCode: ({ shop, seconds }) => ({
    subject: `Ihr Code zur Anmeldung bei ${shop}`,
    before: 'jemand möchte sich mit Ihrer E-Mail-Adresse an einem unserer Kioske anmelden. Der Code lautet',
    after: [
      `Er gilt einmal, an diesem Kiosk, innerhalb von ${germanLettersDurationText(seconds)} nach der Anfrage.`,
      '',
      'Wenn Sie das nicht waren, müssen Sie nichts tun: Ohne den Code kann sich niemand anmelden.',
      'Niemand von unserem Personal wird Sie je danach fragen.',
    ],
  }),
  documents: {
    order: {
      subject: (order) => `Ihre Bestellung ${order}`,
      opening: (order) => `dies ist Ihre Bestellung ${order}`,
    },
    invoice: {
      subject: (order, invoice) => `Rechnung ${invoice} zu Ihrer Bestellung ${order}`,
      opening: (order, invoice) => `dies ist die Rechnung ${invoice} zu Ihrer Bestellung ${order}`,
    },
    shipment: {
      subject: (order) => `Ihre Bestellung ${order} ist unterwegs`,
      opening: (order, shipment) => `die Lieferung ${shipment} Ihrer Bestellung ${order} wurde übergeben`,
    },
    creditmemo: {
      subject: (order, memo) => `Gutschrift ${memo} zu Ihrer Bestellung ${order}`,
      opening: (order, memo) => `dies ist die Gutschrift ${memo} zu Ihrer Bestellung ${order}`,
    },
  },
  more: (lines) => `und ${lines} weitere`,
  total: 'Summe',
  tracking: 'Sendungsnummer',
  refund: {
    subject: (order) => `Ihre Erstattung zur Bestellung ${order}`,
    opening: (sum, order) => `wir haben Ihnen ${sum} zu Ihrer Bestellung ${order} erstattet`,
    memo: (number) => `Die Nummer Ihrer Gutschrift ist ${number}.`,
    went: {
      original_payment: 'auf die Karte, mit der Sie bezahlt haben; bei Ihrer Bank kann das einige Tage dauern',
      terminal: 'auf Ihre Karte, am Terminal im Geschäft',
      store_credit: 'als Guthaben',
      cash: 'in bar',
      exchange: 'für Ihren Umtausch',
      manual_card: 'auf Ihre Karte',
    },
    backTo: {
      store_credit: 'zurück auf Ihr Guthaben',
      gift_card: 'zurück auf Ihren Gutschein',
      reward_points: 'zurück zu Ihren Bonuspunkten',
    },
    points: (count) => `${count} ${count === 1 ? 'Punkt' : 'Punkte'}`,
  },
};

function germanLettersDurationText(seconds: number): string {
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}`;
  return `${Math.floor(seconds / 60)} Minuten`;
}

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

interface AccountToWrite {
  /** Of the customer's store view. */
  locale: string;
  shopName: string;
  link: string;
}

/** The mail with the link to a new password. It names no person. */
export const passwordResetLetter = ({ hours, ...to }: AccountToWrite & { hours: number }): Letter =>
  context(to, (words, shop) => words.newPassword({ shop, hours }));

/** The mail with the link that confirms the e-mail of a new account. */
export const accountConfirmationLetter = (to: AccountToWrite): Letter =>
  context(to, (words, shop) => words.confirmAccount({ shop }));

/** The mail that asks a subscriber to confirm, with the one link that does so. */
export const newsletterLetter = ({ days, ...to }: AccountToWrite & { days: number }): Letter =>
  context(to, (words, shop) => words.confirmNewsletter({ shop, days }));

export interface CodeToWrite extends Omit<AccountToWrite, 'link'> {
  code: string;
  /** Lifetime, from the request on. */
  ttlSeconds: number;
}

/**
 * The mail for a customer at a kiosk: the code, and what to do if the customer did not ask for it. It names no
 * person.
 */
export const oneTimeCodeLetter = ({ code, ttlSeconds, ...to }: CodeToWrite): Letter =>
  context({ ...to, link: `    ${code}` }, (words, shop) => words.oneTimeCode({ shop, seconds: ttlSeconds }));

type Context = ReturnType<LetterWords['confirmAccount']>;

function context(
  { locale, shopName, link }: AccountToWrite,
  sayIn: (words: LetterWords, shop: string) => Context,
): Letter {
  const { words, value }: LetterPen = letterPenOf(locale);
  const { subject, before, after } = sayIn(words, value(shopName));
  return {
    subject,
    text: [words.greeting, '', before, '', link, '', ...after, '', shopName, ''].join('\n'),
  };
}

/** What a mail says about a document of an order. */
export interface DocumentToTell {
  document: MailedDocument;
  /** Of the order's store view. */
  locale: string;
  shopName: string;
  orderIncrementId: string;
  /** The document's number; for an order its own number. */
  incrementId: string;
  currencyCode: string;
  /** In the order's currency; null for a shipment, which has no amount. */
  total: Amount | null;
  lines: readonly { name: string; qty: Quantity; options: readonly ShownOption[] }[];
  parcels: readonly { title: string; number: string }[];
  /** What the shop says to the customer with it. */
  remark: string | null;
}

/** The most lines in a mail; the number of further lines is given. */
const mostLines = 50;
/** Mail programs cut a mail off at about 102,000 bytes, and its end has the total. A letter may have four of them. */
const maxLetters = 15_000;
const maxRemarkLetters = 5_000;

/** As many blocks as a mail has room for. */
function blocksThatFit(blocks: readonly (readonly string[])[]): readonly (readonly string[])[] {
  let letters = 0;
  const first = blocks.slice(0, mostLines);
  const tooMany = first.findIndex((block) => {
    letters += block.join('\n').length;
    return letters > maxLetters;
  });
  return tooMany < 0 ? first : first.slice(0, tooMany);
}

const shortened = (remark: string) =>
  remark.length <= maxRemarkLetters ? remark : `${Array.from(remark).slice(0, maxRemarkLetters).join('')}…`;

/** The mail about an order, an invoice, a shipment or a credit memo. It has no name, address or card data. */
export function documentLetter(facts: DocumentToTell): Letter {
  const { document, shopName, total, currencyCode, lines, parcels, remark } = facts;
  const { words, value, beside, price } = letterPenOf(facts.locale);
  const numbers = [value(facts.orderIncrementId), value(facts.incrementId)] as const;
  const documentName = words.documents[document];
  const row = (label: string, text: string) => beside([label, text], ': ');
  /** A text of several lines stays beneath its product. */
  const option = (one: ShownOption) => `  ${row(one.label, one.value.replaceAll('\n', '\n  '))}`;
  const blocks = blocksThatFit(
    lines.map(({ name, qty, options }) => [
      `- ${beside([String(quantityToWire(qty)), name], ' × ')}`,
      ...options.map(option),
    ]),
  );
  const rest = lines.length - blocks.length;
  const remarkText = remark?.trim() ?? '';
  return {
    subject: documentName.subject(...numbers),
    text: [
      words.greeting,
      '',
      `${documentName.opening(...numbers)}:`,
      '',
      ...blocks.flat(),
      ...(rest > 0 ? [`- ${words.more(rest)}`] : []),
      '',
      ...(total === null ? [] : [row(words.total, price(total, currencyCode)), '']),
      ...parcels.map(({ title, number }) => row(words.tracking, beside([title, number].filter(Boolean)))),
      ...(parcels.length > 0 ? [''] : []),
      ...(remark === null || remarkText === '' ? [] : [shortened(remark), '']),
      shopName,
      '',
    ].join('\n'),
  };
}
