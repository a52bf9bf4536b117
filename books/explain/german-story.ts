import type { ReturnStatus } from '../../domain/returns/return-status.ts';
import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { amountText, qtyText, type CreditName, type StoryWords } from './english-story.ts';

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
  creditBack(told) {
    const { kind, code, backPoints, memo, isPending } = told;
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
    const kept = fee === null ? 'nichts wurde einbehalten' : `${fee} wurde einbehalten (${comma(percent)} %)`;
    const how = method === null ? '' : ` mit ${method}`;
    const because = reason ? ` Gesagt: ${quoted(reason)}` : '';
    return `Die Anzahlung wurde storniert${memo === undefined ? '' : `, mit Gutschrift ${memo}`}: ${kept}, der Rest war${how} auszuzahlen.${because}`;
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
    return `Erstattung ${id} wurde aufgeschrieben, bevor der Zahlungsdienst gerufen wurde: über ${quoted(method)}, Schlüssel ${key}.${beside}`;
  },
  gatewayAsked: (by) =>
    `Der Zahlungsdienst wurde gefragt, einmal${by === null ? '' : `, mit Zeit für die Antwort bis ${by}`}.`,
  operatorAnswered: (id, state, note) =>
    `Eine Person antwortete, dass das Geld ${state === 'booked' ? 'zurückging' : 'nicht zurückging'}: ${quoted(note)}. Erstattung ${id} ist ${attemptStates[state]}.`,
  outcome({ id, state, reference, because }) {
    switch (state) {
      case 'started':
        return `Erstattung ${id} ist unterwegs.`;
      case 'booked':
        return `Der Zahlungsdienst hat erstattet${reference === null ? '' : `, seine Nummer ${reference}`}. Erstattung ${id} ist gebucht.`;
      case 'failed':
        return `Kein Geld ging${because}. Erstattung ${id} ist gescheitert.`;
      case 'uncertain':
        return `Es ist nicht bekannt, ob das Geld zurückging${because}. Erstattung ${id} ist im Zweifel.`;
    }
  },
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
    nothing: 'Es ist nichts zu tun.',
    isBooked: 'Nichts: Das Geld ging zurück und ist gebucht.',
    isOver: 'Nichts: Diese Rückgabe ist vorbei.',
    ofReturn: (number, way) => `Rückgabe ${number}: ${way}`,
    ofAttempt: (id, way) => `Erstattung ${id}: ${way}`,
    onHold: (orderId) =>
      `Sie ist angehalten; nichts wird ausgehändigt, bis sie freigegeben ist: ${route('POST', `orders/${orderId}/unhold`)}.`,
    inReview: 'Die Zahlung wird geprüft; bis dahin wird nichts ausgehändigt.',
    payInvoice: (id, number, due) =>
      `Die offene Rechnung ${number} bezahlen (${due} der Bestellung ist noch zu zahlen): ${route('POST', `invoices/${id}/capture`)}.`,
    invoice: (orderId, due) => `Die noch offenen ${due} nehmen: ${route('POST', `order/${orderId}/invoice`)}.`,
    handOver: (orderId, goods) => `${goods} aushändigen: ${route('POST', `order/${orderId}/ship`)}.`,
    payLayaway: (orderId, owed) =>
      `Eine Zahlung nehmen, ${owed} ist offen: ${route('POST', `pos/layaways/${orderId}/payments`)}.`,
    cancelLayaway: (orderId) => `Stornieren, mit Gebühr oder ohne: ${route('POST', `pos/layaways/${orderId}/cancel`)}.`,
    notFollowed: 'Noch folgt ihr kein Workflow: Der stündliche Lauf oder die nächste Zahlung startet einen.',
    settleLayaway: (invoiceId) =>
      `Abschließen: Die offene Rechnung wird bezahlt durch ${route('POST', `invoices/${invoiceId}/capture`)}.`,
    collectDue: (orderId, due) =>
      `Einziehen, was offen ist, ${due}: ${route('POST', `pos/orders/${orderId}/due-payments`)}.`,
    notReady:
      'Sie ist noch nicht fertig angelegt. Jede Minute und mit jeder Anfrage wird es wieder versucht. Steht in ihrer Geschichte ein Grund, dann zuerst den beheben.',
    approve: (id) =>
      `Genehmigen oder ablehnen: ${route('PUT', `pos/rma/${id}/status`)} mit "approved" oder "rejected".`,
    receive: (id) => `Die Ware annehmen: ${route('POST', `pos/rma/${id}/receive`)}.`,
    settle: (id) =>
      `Das Geld zurückgeben: ${route('POST', `pos/rma/${id}/settle`)} mit einem Weg (cash, terminal, original_payment …).`,
    resolve: (id) =>
      `Zeile für Zeile entscheiden (Erstattung, Umtausch, Reparatur …): ${route('POST', `pos/rma/${id}/resolve`)}.`,
    'cancel-refund': (id) =>
      `Die Ware behalten und die Erstattung streichen: ${route('POST', `pos/rma/${id}/cancel-refund`)}.`,
    close: (id) => `Die Ware ohne Erstattung zurückgeben: ${route('POST', `pos/rma/${id}/close`)}.`,
    tryAgain: (returnId) =>
      returnId === null
        ? 'Nichts ging, also kann die Erstattung noch einmal versucht werden.'
        : `Nichts ging, also kann für Rückgabe ${returnId} das Geld noch einmal gegeben werden, über den Zahlungsdienst oder anders.`,
    wait: 'Warten: Der Aufruf läuft. Eine Minute nach seiner Frist sieht der Dienst von selbst nach.',
    seeWorkflow: (workflow) => `Bei der Arbeit zu sehen: Workflow ${workflow} auf der Seite von Temporal.`,
    lookInPortal: (reference) =>
      `Dieser Zahlungsdienst kann nicht gefragt werden. ${reference} in seinem Portal suchen.`,
    askAgain: (id) => `Den Zahlungsdienst noch einmal fragen: npm run pos -- refunds reconcile ${id}`,
    ifItWent: (id) =>
      `Auf der Seite oder dem Auszug des Zahlungsdienstes nachsehen; ging das Geld zurück: npm run pos -- refunds resolve ${id} refunded --staff NAME --note TEXT`,
    ifItDidNot: (id) =>
      `Ging es nicht zurück: npm run pos -- refunds resolve ${id} not_refunded --staff NAME --note TEXT`,
    untilThen: (returnId, isAskedAgain) =>
      `Bis dahin ${returnId === null ? 'geht keine andere Erstattung dieser Bestellung ohne Rückgabe über ihren Zahlungsdienst' : 'wird nichts anderes dieser Rückgabe erstattet'}.${isAskedAgain ? ' Der Dienst fragt den Zahlungsdienst von selbst wieder: bald, dann stündlich, dann täglich.' : ''}`,
  },
};
