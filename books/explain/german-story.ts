import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import {
  amountText,
  doubtsPage,
  layawaysPage,
  qtyText,
  returnPage,
  type CreditName,
  type StoryWords,
} from './english-story.ts';

/** The sentences of a story in German. What people and processors said stays as they said it. */

/** Each status of a return, in German. */
export const germanStatuses: Readonly<Record<ReturnStatus, string>> = {
  pending: 'Wartet',
  requested: 'Gewünscht',
  authorized: 'Zugesagt',
  partially_authorized: 'Teilweise zugesagt',
  approved: 'Genehmigt',
  received: 'Angenommen',
  received_partially: 'Teilweise angenommen',
  items_received: 'Ware angenommen',
  awaiting_refund: 'Wartet auf die Erstattung',
  resolved: 'Geklärt',
  closed: 'Geschlossen',
  processed_closed: 'Bearbeitet und geschlossen',
  rejected: 'Abgelehnt',
  denied: 'Verweigert',
};

const orderStatuses: Readonly<Record<string, string>> = {
  pending: 'offen',
  pending_payment: 'wartet auf Zahlung',
  payment_review: 'Zahlung wird geprüft',
  processing: 'in Arbeit',
  complete: 'fertig',
  closed: 'geschlossen',
  canceled: 'storniert',
  holded: 'angehalten',
};

const attemptStates = {
  started: 'unterwegs',
  booked: 'gebucht',
  failed: 'gescheitert',
  uncertain: 'im Zweifel',
} as const;
const layawayStatuses: Readonly<Record<string, string>> = {
  open: 'offen',
  stale: 'überfällig',
  ready_to_settle: 'bereit zum Abschluss',
  completed: 'abgeschlossen',
  cancelled: 'storniert',
};
const paidBy: Readonly<Record<string, string>> = {
  placement: 'Bezahlt mit der Bestellung',
  invoice: 'Bezahlt',
  layaway_capture: 'Eine Rate der Anzahlung wurde genommen',
  credit_due: 'Eine fällige Zahlung wurde genommen',
  credit: 'Bezahlt mit Guthaben',
};
const memoParts = { goods: 'Ware', discount: 'Rabatt', shipping: 'Versand', tax: 'Steuer', adjustment: 'Anpassung' };

const conditions: Readonly<Record<string, string>> = {
  pristine: 'einwandfrei',
  damaged: 'beschädigt',
  dispose: 'zu entsorgen',
};
const statusOf = (word: string): string => Object.entries(germanStatuses).find(([code]) => code === word)?.[1] ?? word;

const comma = (text: string) => text.replace('.', ',');
const quoted = (text: string) => `„${text}“`;
const caseMeans = {
  processor: 'im Portal des Zahlungsdienstes',
  cash: 'in bar',
  transfer: 'durch Überweisung',
  store_credit: 'als Guthaben',
} as const;
/** The steps of a return, on their buttons and in its story. */
export const germanStepsOfReturn = {
  approve: 'Genehmigen',
  receive: 'Ware annehmen',
  settle: 'Geld zurückgeben',
  'cancel-refund': 'Ware behalten, Erstattung absagen',
  reject: 'Ablehnen',
  close: 'Ohne Erstattung schließen',
};
const requestedFor: Readonly<Record<string, string>> = germanStepsOfReturn;
const route = (method: string, path: string) => `${method} /V1/${path}`;
const balanceOf = (kind: CreditKind, code: string) =>
  kind === 'store_credit' ? 'Guthaben' : kind === 'gift_card' ? `Geschenkkarte ${code}` : 'Prämienpunkte';
const nameOfCredit = ({ kind, code, points }: CreditName) =>
  kind === 'reward_points' ? `${points ?? 0} Prämienpunkte` : balanceOf(kind, code);
const byGateway = (isByGateway: boolean) =>
  isByGateway ? 'über den Zahlungsdienst' : 'nicht über einen Zahlungsdienst';
const whoRan = (provider: string | null) =>
  provider === null ? 'die eigene Erstattung' : `den Rückgabedienst ${quoted(provider)}`;

export const german: StoryWords = {
  amount: (stored, currency) => comma(amountText(stored, currency)),
  qty: (stored) => comma(qtyText(stored)),
  method: (code) => code,
  outcomeCode: (code) => code,
  clock: (iso) => iso.slice(11, 19),
  day: (iso) => iso.slice(0, 10),
  moment: (iso) => `${iso.slice(0, 16).replace('T', ' ')} UTC`,
  nothing: 'nichts',
  noGoods: 'keine Ware',

  orderTitle: (number, status) => `Bestellung ${number}: ${orderStatuses[status] ?? status}`,
  returnTitle: (number, status) => `Rückgabe ${number}: ${germanStatuses[status]}`,
  attemptTitle: (id, state) => `Erstattung ${id}: ${attemptStates[state]}`,
  memoTitle: (number) => `Gutschrift ${number}: gebucht`,
  paidBy: (method, reference) =>
    `Bezahlt mit ${method ?? 'unbekanntem Mittel'}${reference === null ? '' : `, Zahlung ${reference}`}.`,
  registerSale: (id) => `Verkauf der Kasse ${id}.`,
  ofOrder: (number, goods) => `Aus Bestellung ${number}: ${goods}.`,
  forReturn: (number, status) => `Für Rückgabe ${number}, jetzt: ${germanStatuses[status]}.`,
  forReturnBy: (number, method) => `Für Rückgabe ${number}, ${method === null ? 'von Hand' : `mit ${method}`}.`,
  goesBackBy: (method) => `Das Geld geht zurück mit ${method}.`,
  totals: {
    total: 'Summe',
    paid: 'bezahlt',
    due: 'noch offen',
    refunded: 'erstattet',
    withoutMemo: 'ohne Gutschrift zurückgegeben',
    promised: 'laufenden Erstattungen versprochen',
  },

  creditFact(reported) {
    const { isTender, amount, back, promised } = reported;
    const cached = promised === null ? '' : `; laufenden Erstattungen versprochen: ${promised}`;
    return `${nameOfCredit(reported)}: ${amount} ${isTender ? 'bezahlt' : 'abgezogen'}; zurück: ${back ?? 'nichts'}${cached}.`;
  },
  keptBy: (keeper, number) => ` ${keeper} nahm es als ${number}.`,
  creditBack(words) {
    const { kind, code, backPoints, memo, isPending } = words;
    const where =
      kind === 'reward_points'
        ? `Prämienpunkte gingen zurück${backPoints === null ? '' : ` (${backPoints})`}`
        : `Geld ging zurück auf ${balanceOf(kind, code)}`;
    const why = memo === undefined ? ', weil die Bestellung storniert wurde' : `, mit Gutschrift ${memo}`;
    return `${where}${why}${isPending ? '; der Dienst muss es noch erfahren' : ''}.`;
  },
  creditRefund({ id, kind, code, state, message }) {
    const refund = `Erstattung ${id} auf ${balanceOf(kind, code)}`;
    if (state === 'booked') return `${refund} wurde gegeben.`;
    if (state === 'failed') return `${refund} wurde nicht gegeben: ${message ?? 'sie wurde abgelehnt'}`;
    return `${refund} ist vorgemerkt. Der Dienst hat nicht gesagt, ob sie gegeben wurde; er wird von selbst wieder gefragt.`;
  },
  pointsEarned: (points) => `${points} Prämienpunkte wurden verdient.`,
  pointsVoided: (points) => `${points} Prämienpunkte verfielen für das, was erstattet wurde.`,

  creditDue: (amount) => `Auf Rechnung verkauft: ${amount} davon ist noch offen.`,
  layaway: (status, owed) => `Eine Anzahlung, ${layawayStatuses[status] ?? status}${owed}.`,
  layawayPaid: ': ganz bezahlt',
  layawayOwed: (owed, total, until) => `: ${owed} offen von ${total}${until === null ? '' : `, bis ${until}`}`,
  layawayDeposit: (amount, method) => `Die erste Zahlung war ${amount}${method === null ? '' : `, mit ${method}`}.`,
  layawayCancelled({ memo, fee, percent, method, reason }) {
    const retained = fee === null ? 'nichts wurde einbehalten' : `${fee} wurde einbehalten (${comma(percent)} %)`;
    const how = method === null ? '' : ` mit ${method}`;
    const because = reason ? ` Gesagt: ${quoted(reason)}` : '';
    return `Die Anzahlung wurde storniert${memo === undefined ? '' : `, mit Gutschrift ${memo}`}: ${retained}, der Rest war${how} auszuzahlen.${because}`;
  },

  runAsked({ finishes, resolution, isByGateway }) {
    const request = finishes === null ? 'Ware sollte zurückkommen' : `Rückgabe ${finishes || ''} sollte fertig werden`;
    return `${request}, in einem Aufruf: ${resolution}, ${byGateway(isByGateway)}.`;
  },
  runUnattempted: 'Kein Rückgabedienst hat es übernommen.',
  runEnded: (provider, state, refusal) =>
    `Die Rückgabe in einem Aufruf durch ${whoRan(provider)} endete als ${state}: ${quoted(refusal)}`,
  runDone: (provider) => `Die Rückgabe in einem Aufruf durch ${whoRan(provider)} ist fertig.`,
  storeCreditIssued: (amount) => ` Guthaben gegeben: ${amount}.`,
  forOtherGoods: (amount) => ` Für andere Ware: ${amount}.`,

  attemptRecorded({ id, method, key, credited }) {
    const beside = credited === null ? '' : ` Dazu geht ${credited} als Guthaben zurück.`;
    return `Erstattung ${id} wurde aufgeschrieben, bevor der Zahlungsdienst angefragt wurde: über ${quoted(method)}, Schlüssel ${key}.${beside}`;
  },
  gatewayAsked: (by) =>
    `Der Zahlungsdienst wurde einmal gefragt${by === null ? '' : `, mit Zeit für die Antwort bis ${by}`}.`,
  operatorAnswered: (id, state, note) =>
    `Eine Person antwortete, dass das Geld ${state === 'booked' ? 'zurückging' : 'nicht zurückging'}: ${quoted(note)}. Erstattung ${id} ist ${attemptStates[state]}.`,
  outcome({ id, state, reference, because }) {
    switch (state) {
      case 'started':
        return `Erstattung ${id} ist unterwegs.`;
      case 'booked':
        return `Der Zahlungsdienst hat erstattet${reference === null ? '' : `, seine Nummer ${reference}`}. Erstattung ${id} ist gebucht.`;
      case 'failed':
        return `Kein Geld ging zurück${because}. Erstattung ${id} ist gescheitert.`;
      case 'uncertain':
        return `Es ist nicht bekannt, ob das Geld zurückging${because}. Erstattung ${id} ist im Zweifel.`;
    }
  },
  caseOpened({ id, amount, means, note, first }) {
    const before = `${first.by} hatte gesagt, ${first.at}, dass es zurückging: ${quoted(first.note)}.`;
    return `„Das war falsch“: ${quoted(note)}. ${before} Fall ${id} wurde eröffnet: ${amount} ${caseMeans[means]} zurückzugeben.`;
  },
  caseClosed: (id, proof) => `Fall ${id} wurde geschlossen: Das Geld wurde zurückgegeben. Beleg: ${quoted(proof)}`,
  memoParts,
  memoBooked: (number, goods, parts, isByGateway) =>
    `Gutschrift ${number} wurde gebucht für ${goods} (${parts}), ${byGateway(isByGateway)}.`,

  returnMade: (number, query) => `Rückgabe ${number} wurde angelegt: ${query}.`,
  because: (reason) => `, Grund: ${quoted(reason)}`,
  bySale: (id) => `; Verkauf der Kasse ${id}`,
  said: (comment) => `Gesagt: ${quoted(comment)}`,
  moved({ goods, isBack, source }) {
    if (isBack)
      return source === null
        ? `${goods} ging an den Käufer zurück; es war abgeschrieben, und kein Lager gab es her.`
        : `${goods} ging wieder aus Lager ${quoted(source)}, mit dem Käufer.`;
    return source === null
      ? `${goods} kam an und wurde abgeschrieben.`
      : `${goods} kam an und ging in Lager ${quoted(source)}.`;
  },
  condition: (inspected) => conditions[inspected] ?? inspected,
  asked: (step, reason) => `„${requestedFor[step] ?? step}“ verlangt, Grund: ${quoted(reason)}.`,
  changed(field, before, after) {
    if (field !== 'status') return `${field.replaceAll('_', ' ')} geändert von ${quoted(before)} in ${quoted(after)}.`;
    return `Stand geändert von ${quoted(statusOf(before))} in ${quoted(statusOf(after))}.`;
  },

  orderPlaced: (number, goods) => `Bestellung ${number} wurde aufgegeben: ${goods}.`,
  withOptions: (options) => ` mit ${options.join(' und ')}`,
  receiptStored: (id) => `Beleg ${id} wurde gespeichert.`,
  invoiceMade: (number, state) =>
    `Rechnung ${number} wurde gestellt${{ open: ', noch offen', cancelled: ' und später storniert', paid: '' }[state]}.`,
  paid: (kind, method, reference) =>
    `${paidBy[kind] ?? kind}${method === null ? '' : ` (${method})`}${reference === null ? '' : `, Nummer ${reference}`}.`,
  shipped: (goods, source, number) => `${goods} verließ Lager ${quoted(source)} (Lieferung ${number}).`,
  historySays: (comment) => `In der Geschichte der Bestellung steht: ${quoted(comment)}`,

  ways: {
    nothing: { says: 'Es ist nichts zu tun.' },
    isBooked: { says: 'Nichts: Das Geld ging zurück und ist gebucht.' },
    isOver: { says: 'Nichts: Diese Rückgabe ist vorbei.' },
    ofReturn: (number) => `Rückgabe ${number}: `,
    ofAttempt: (id) => `Erstattung ${id}: `,
    closeCase: ({ id, amount, means }) => ({
      says: `Fall ${id} ist offen: ${amount} ${caseMeans[means]} zurückgeben und ihn mit dem Beleg schließen`,
      how: 'auf der Seite /ops.',
      page: doubtsPage,
    }),
    onHold: (orderId) => ({
      says: 'Sie ist angehalten; nichts wird ausgehändigt, bis sie freigegeben ist',
      how: `${route('POST', `orders/${orderId}/unhold`)}.`,
    }),
    inReview: { says: 'Die Zahlung wird geprüft; bis dahin wird nichts ausgehändigt.' },
    payInvoice: (id, number, due) => ({
      says: `Die offene Rechnung ${number} bezahlen (${due} der Bestellung ist noch zu zahlen)`,
      how: `${route('POST', `invoices/${id}/capture`)}.`,
    }),
    invoice: (orderId, due) => ({
      says: `Die noch offenen ${due} annehmen`,
      how: `${route('POST', `order/${orderId}/invoice`)}.`,
    }),
    handOver: (orderId, goods) => ({
      says: `${goods} aushändigen`,
      how: `${route('POST', `order/${orderId}/ship`)}.`,
    }),
    payLayaway: (orderId, owed) => ({
      says: `Eine Zahlung annehmen, ${owed} ist offen`,
      how: `${route('POST', `pos/layaways/${orderId}/payments`)}.`,
      page: layawaysPage,
    }),
    cancelLayaway: (orderId) => ({
      says: 'Stornieren, mit Gebühr oder ohne',
      how: `${route('POST', `pos/layaways/${orderId}/cancel`)}.`,
      page: layawaysPage,
    }),
    notFollowed: { says: 'Noch folgt ihr kein Workflow: Der stündliche Lauf oder die nächste Zahlung startet einen.' },
    settleLayaway: (invoiceId) => ({
      says: 'Abschließen: die offene Rechnung bezahlen',
      how: `${route('POST', `invoices/${invoiceId}/capture`)}.`,
    }),
    collectDue: (orderId, due) => ({
      says: `Einziehen, was offen ist, ${due}`,
      how: `${route('POST', `pos/orders/${orderId}/due-payments`)}.`,
    }),
    issueCredit: (worth, body) => ({
      says: `Das Guthaben buchen, das eine Erstattung zugesagt hat, ${worth}`,
      how: `${route('POST', 'pos/credits/refund')} ${body}`,
    }),
    notReady: {
      says:
        'Sie ist noch nicht fertig angelegt. Jede Minute und mit jeder Anfrage wird es wieder versucht. Steht in ' +
        'ihrer Geschichte ein Grund, dann zuerst den beheben.',
    },
    approve: (id) => ({
      says: 'Genehmigen oder ablehnen',
      how: `${route('PUT', `pos/rma/${id}/status`)} mit "approved" oder "rejected".`,
      page: returnPage(id),
    }),
    receive: (id) => ({
      says: 'Die Ware annehmen',
      how: `${route('POST', `pos/rma/${id}/receive`)}.`,
      page: returnPage(id),
    }),
    settle: (id) => ({
      says: 'Das Geld zurückgeben',
      how: `${route('POST', `pos/rma/${id}/settle`)} mit einem Weg (cash, terminal, original_payment …).`,
      page: returnPage(id),
    }),
    resolve: (id) => ({
      says: 'Zeile für Zeile entscheiden (Erstattung, Umtausch, Reparatur …)',
      how: `${route('POST', `pos/rma/${id}/resolve`)}.`,
    }),
    'cancel-refund': (id) => ({
      says: 'Die Ware behalten und die Erstattung absagen',
      how: `${route('POST', `pos/rma/${id}/cancel-refund`)}.`,
      page: returnPage(id),
    }),
    close: (id) => ({
      says: 'Die Ware ohne Erstattung zurückgeben',
      how: `${route('POST', `pos/rma/${id}/close`)}.`,
      page: returnPage(id),
    }),
    tryAgain: (returnId) => ({
      says:
        returnId === null
          ? 'Kein Geld ging zurück, also kann die Erstattung noch einmal versucht werden.'
          : `Kein Geld ging zurück, also kann für Rückgabe ${returnId} das Geld noch einmal gegeben werden, über den Zahlungsdienst oder anders.`,
    }),
    wait: { says: 'Warten: Der Aufruf läuft. Eine Minute nach seiner Frist sieht der Dienst von selbst nach.' },
    seeWorkflow: (workflow) => ({ says: `Bei der Arbeit zu sehen: Workflow ${workflow} auf der Seite von Temporal.` }),
    lookInPortal: (reference) => ({
      says: `Dieser Zahlungsdienst kann nicht gefragt werden. ${reference} in seinem Portal suchen.`,
    }),
    askAgain: (id) => ({
      says: 'Den Zahlungsdienst noch einmal fragen',
      how: `npm run pos -- refunds reconcile ${id}`,
      page: doubtsPage,
    }),
    ifItWent: (id) => ({
      says: 'Auf der Seite oder dem Auszug des Zahlungsdienstes nachsehen; ging das Geld zurück',
      how: `npm run pos -- refunds resolve ${id} refunded --staff NAME --note TEXT`,
      page: doubtsPage,
    }),
    ifItDidNot: (id) => ({
      says: 'Ging es nicht zurück',
      how: `npm run pos -- refunds resolve ${id} not_refunded --staff NAME --note TEXT`,
      page: doubtsPage,
    }),
    untilThen: (returnId, isRequestedAgain) => ({
      says: `Bis dahin ${returnId === null ? 'geht keine andere Erstattung dieser Bestellung ohne Rückgabe über ihren Zahlungsdienst' : 'wird nichts anderes dieser Rückgabe erstattet'}.${isRequestedAgain ? ' Der Dienst fragt den Zahlungsdienst von selbst wieder: bald, dann stündlich, dann täglich.' : ''}`,
    }),
  },
};
