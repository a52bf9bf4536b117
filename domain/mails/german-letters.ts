import type { LetterWords } from './letter-words.ts';

/** The words of letters in German. */
export const germanLetters: LetterWords = {
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
      'jemand hat mit dieser E-Mail-Adresse ein Konto eröffnet. Wenn Sie das waren, bestätigen Sie es hier; danach können Sie sich anmelden:',
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
      `Er gilt einmal, an diesem Kiosk, innerhalb von ${durationText(seconds)} nach der Anfrage.`,
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

function durationText(seconds: number): string {
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}`;
  return `${Math.floor(seconds / 60)} Minuten`;
}
