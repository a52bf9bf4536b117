import type { CreditKind } from '../../domain/credits/applied-credit.ts';
import { priceText } from '../../domain/currency-texts.ts';
import { formatUnits, money } from '../../domain/money.ts';
import type { RefundCaseMeans } from '../../db/ops/ops.entity.ts';
import type { RefundAttemptState } from '../../domain/refunds/refund-finding.ts';
import { labelOf, type ReturnStatus } from '../../domain/returns/return-status.ts';
import type { Way, WayPage } from './story.ts';

/** `('54.0000', 'USD')` → `54.00 USD`; more decimals only where they are not zero. */
export const amountText = (stored: string, currency: string): string => priceText(money(stored), currency);

/** `('2.0000')` → `2`, `('1.5000')` → `1.5`. */
export const qtyText = (stored: string): string => formatUnits(money(stored)).replace(/\.?(?<!0)0+$/, '');

/** The sentences of a story in English. What people and processors said stays as they said it. */

const nameOfCredit = ({ kind, code, points }: CreditName): string => {
  if (kind === 'store_credit') return 'store credit';
  return kind === 'gift_card' ? `gift card ${code}` : `${points ?? 0} reward points`;
};

const quoted = (text: string) => `"${text}"`;
const paidBy: Readonly<Record<string, string>> = {
  placement: 'Paid with the order',
  invoice: 'Paid',
  layaway_capture: 'A layaway payment was taken',
  credit_due: 'A payment of credit that was due was taken',
  credit: 'Paid with credit',
};
/** The steps of a return, on their buttons and in its story. */
export const stepsOfReturn = {
  approve: 'Approve',
  receive: 'Take the goods in',
  settle: 'Give the money back',
  'cancel-refund': 'Keep the goods, cancel the refund',
  reject: 'Refuse',
  close: 'Close without a refund',
};
const requestedFor: Readonly<Record<string, string>> = stepsOfReturn;
const route = (method: string, path: string) => `${method} /V1/${path}`;
/** How money of a case is handed back, on its form and in its story. */
export const caseMeans: Readonly<Record<RefundCaseMeans, string>> = {
  processor: 'the processor’s portal',
  cash: 'cash',
  transfer: 'bank transfer',
  store_credit: 'store credit',
};

/** Where the buttons are for what a story asks of a person. */
export const doubtsPage: WayPage = { kind: 'doubts' };
export const layawaysPage: WayPage = { kind: 'layaways' };
export const returnPage = (id: number): WayPage => ({ kind: 'return', id });

/** What a person said first, with the moment as it is told. */
export interface CaseWord {
  by: string;
  at: string;
  note: string;
}

/** A code is masked already. */
export interface CreditName {
  kind: CreditKind;
  code: string;
  points: number | null;
}

export const english = {
  amount: amountText,
  qty: qtyText,
  /**
   * A way of paying, the outcome of a call, a moment of the day: as they are stored; a page tells them in its own way.
   */
  method: (code: string): string => code,
  outcomeCode: (code: string): string => code,
  clock: (iso: string): string => iso.slice(11, 19),
  day: (iso: string): string => iso.slice(0, 10),
  moment: (iso: string): string => `${iso.slice(0, 16).replace('T', ' ')} UTC`,
  nothing: 'nothing',
  noGoods: 'no goods',

  orderTitle: (number: string, status: string) => `Order ${number}: ${status}`,
  returnTitle: (number: string, status: ReturnStatus) => `Return ${number}: ${labelOf(status)}`,
  attemptTitle: (id: number, state: RefundAttemptState) => `Refund attempt ${id}: ${state}`,
  memoTitle: (number: string) => `Credit memo ${number}: booked`,
  paidBy: (method: string | null, reference: string | null) =>
    `Paid by ${method ?? 'nothing known'}${reference === null ? '' : `, payment ${reference}`}.`,
  registerSale: (id: string) => `Register sale ${id}.`,
  ofOrder: (number: string, goods: string) => `Of order ${number}: ${goods}.`,
  forReturn: (number: string, status: ReturnStatus) => `For return ${number}, now ${labelOf(status)}.`,
  forReturnBy: (number: string, method: string | null) => `For return ${number}, by ${method ?? 'hand'}.`,
  goesBackBy: (method: string) => `The money goes back by ${method}.`,
  totals: {
    total: 'total',
    paid: 'paid',
    due: 'still due',
    refunded: 'refunded',
    withoutMemo: 'given back without a memo',
    promised: 'promised to refunds under way',
  },

  creditFact(
    reported: CreditName & { isTender: boolean; amount: string; back: string | null; promised: string | null },
  ) {
    const { isTender, amount, back, promised } = reported;
    const spent = isTender ? 'was paid with' : 'was taken off for';
    const promiseText = promised === null ? '' : `, ${promised} is promised to refunds under way`;
    return `${amount} ${spent} ${nameOfCredit(reported)}; ${back ?? 'nothing'} of it is back${promiseText}.`;
  },
  keptBy: (keeper: string, number: string) => ` ${keeper} took it as ${number}.`,
  creditBack(words: CreditName & { backPoints: number | null; memo: string | undefined; isPending: boolean }) {
    const { kind, backPoints, memo, isPending } = words;
    const where =
      kind === 'reward_points' ? 'Reward points were given back' : `Money went back to ${nameOfCredit(words)}`;
    const points = backPoints === null ? '' : `, ${backPoints} of them,`;
    const why = memo === undefined ? 'because the order was cancelled' : `with credit memo ${memo}`;
    return `${where}${points} ${why}${isPending ? '; their provider must still be told' : ''}.`;
  },
  creditRefund(told: { id: number; kind: CreditKind; code: string; state: string; message: string | null }) {
    const { id, kind, code, state, message } = told;
    const where = kind === 'reward_points' ? 'reward points' : nameOfCredit({ kind, code, points: null });
    const refund = `Refund ${id} to ${where}`;
    if (state === 'booked') return `${refund} was given.`;
    if (state === 'failed') return `${refund} was not given: ${message ?? 'it was refused'}`;
    return `${refund} is reserved; its provider did not say whether it was given, and is asked again by itself.`;
  },
  pointsEarned: (points: number) => `${points} reward points were earned.`,
  pointsVoided: (points: number) => `${points} reward points were voided for what was refunded.`,

  creditDue: (amount: string) => `Sold on credit: ${amount} of it is still due.`,
  layaway: (status: string, owed: string) => `A layaway, ${status.replaceAll('_', ' ')}${owed}.`,
  layawayPaid: ': paid in full',
  layawayOwed: (owed: string, total: string, until: string | null) =>
    `: ${owed} owed of ${total}${until === null ? '' : `, until ${until}`}`,
  layawayDeposit: (amount: string, method: string | null) =>
    `Its deposit was ${amount}${method === null ? '' : `, by ${method}`}.`,
  layawayCancelled(told: {
    memo: string | undefined;
    fee: string | null;
    percent: string;
    method: string | null;
    reason: string | null;
  }) {
    const { memo, fee, percent, method, reason } = told;
    const cached = fee === null ? 'nothing was kept' : `${fee} was kept (${percent} %)`;
    const how = method === null ? '' : ` by ${method}`;
    const because = reason ? ` Said: ${quoted(reason)}` : '';
    const by = memo === undefined ? '' : ` with credit memo ${memo}`;
    return `The layaway was cancelled${by}: ${cached}, to be handed back${how} was the rest.${because}`;
  },

  runAsked(told: { finishes: number | null; resolution: string; isByGateway: boolean }) {
    const { finishes, resolution, isByGateway } = told;
    const request = finishes === null ? 'Goods were to come back' : `Return ${finishes || ''} was to be finished`;
    return `${request} in one call: ${resolution}, ${isByGateway ? 'through the gateway' : 'not through a gateway'}.`;
  },
  runUnattempted: 'No returns provider took the run on.',
  /** Null: no provider did, the core refund of the service. */
  runEnded: (provider: string | null, state: string, refusal: string) =>
    `The collapsed return by ${whoRan(provider)} ended ${state}: ${quoted(refusal)}`,
  runDone: (provider: string | null) => `The collapsed return by ${whoRan(provider)} is done.`,
  storeCreditIssued: (amount: string) => ` Store credit issued: ${amount}.`,
  forOtherGoods: (amount: string) => ` For other goods: ${amount}.`,

  attemptRecorded(told: { id: number; method: string; key: string; credited: string | null }) {
    const beside = told.credited === null ? '' : ` In addition, ${told.credited} goes back as credit.`;
    return `Refund attempt ${told.id} was recorded before the gateway was called: through ${quoted(told.method)}, key ${told.key}.${beside}`;
  },
  gatewayAsked: (by: string | null) => `The gateway was asked, once${by === null ? '' : `, to answer by ${by}`}.`,
  operatorAnswered: (id: number, state: RefundAttemptState, note: string) =>
    `An operator answered that ${state === 'booked' ? 'the money went back' : 'the money did not go back'}: ${quoted(note)}. Attempt ${id} is ${state}.`,
  outcome(told: { id: number; state: RefundAttemptState; reference: string | null; because: string }) {
    const { id, state, reference, because } = told;
    switch (state) {
      case 'started':
        return `Attempt ${id} is under way.`;
      case 'booked':
        return `The gateway refunded${reference === null ? '' : `, its reference ${reference}`}. Attempt ${id} is booked.`;
      case 'failed':
        return `No money moved${because}. Attempt ${id} failed.`;
      case 'uncertain':
        return `It is not known whether the money went back${because}. Attempt ${id} is uncertain.`;
    }
  },
  caseOpened(told: { id: number; amount: string; means: RefundCaseMeans; note: string; first: CaseWord }) {
    const { id, amount, means, note, first } = told;
    const before = `${first.by} had said, ${first.at}, that it went back: ${quoted(first.note)}.`;
    return `“That was wrong”: ${quoted(note)}. ${before} Case ${id} was opened: ${amount} to hand back by ${caseMeans[means]}.`;
  },
  caseClosed: (id: number, proof: string) =>
    `Case ${id} was closed: the money was handed back. Proof: ${quoted(proof)}`,
  memoParts: { goods: 'goods', discount: 'discount', shipping: 'shipping', tax: 'tax', adjustment: 'adjustment' },
  memoBooked: (number: string, goods: string, parts: string, isByGateway: boolean) =>
    `Credit memo ${number} was booked for ${goods} (${parts}), ${isByGateway ? 'through the gateway' : 'not through a gateway'}.`,

  returnMade: (number: string, query: string) => `Return ${number} was made: ${query}.`,
  because: (reason: string) => `, because ${quoted(reason)}`,
  bySale: (id: string) => `; register sale ${id}`,
  said: (comment: string) => `Said: ${quoted(comment)}`,
  moved(told: { goods: string; isBack: boolean; source: string | null }) {
    const { goods, isBack, source } = told;
    if (isBack)
      return source === null
        ? `${goods} went back to the buyer; it had been written off, so no source gave it.`
        : `${goods} went out of source ${quoted(source)} again, with the buyer.`;
    return source === null
      ? `${goods} came in and was written off.`
      : `${goods} came in and went to source ${quoted(source)}.`;
  },
  /** The state of goods that came back. */
  condition: (inspected: string): string => inspected,
  /** A person's reason for a step, given on the page of the operator. */
  asked: (step: string, reason: string) => `Asked for “${requestedFor[step] ?? step}”, because ${quoted(reason)}.`,
  changed: (field: string, before: string, after: string) =>
    `${field.replaceAll('_', ' ')} changed from ${quoted(before)} to ${quoted(after)}.`,

  orderPlaced: (number: string, goods: string) => `Order ${number} was placed: ${goods}.`,
  withOptions: (options: readonly string[]) => ` with ${options.join(' and ')}`,
  receiptStored: (id: number) => `Receipt ${id} was stored.`,
  invoiceMade: (number: string, state: 'open' | 'cancelled' | 'paid') =>
    `Invoice ${number} was made${{ open: ', still open', cancelled: ' and cancelled later', paid: '' }[state]}.`,
  paid: (kind: string, method: string | null, reference: string | null) =>
    `${paidBy[kind] ?? kind}${method === null ? '' : ` (${method})`}${reference === null ? '' : `, reference ${reference}`}.`,
  shipped: (goods: string, source: string, number: string) =>
    `${goods} left source ${quoted(source)} (shipment ${number}).`,
  historySays: (comment: string) => `The order's history says: ${quoted(comment)}`,

  ways: {
    nothing: { says: 'Nothing needs to be done.' },
    isBooked: { says: 'Nothing: the money went back and is booked.' },
    isOver: { says: 'Nothing: this return is over.' },
    ofReturn: (number: string) => `Return ${number}: `,
    ofAttempt: (id: number) => `Refund attempt ${id}: `,
    /** A case: a person said by mistake that the money went back. */
    closeCase: (told: { id: number; amount: string; means: RefundCaseMeans }): Way => ({
      says:
        `Case ${told.id} is open: hand back ${told.amount} by ${caseMeans[told.means]}, ` +
        'and close it with the proof',
      how: 'on the page /ops.',
      page: doubtsPage,
    }),
    onHold: (orderId: number): Way => ({
      says: 'It is on hold; nothing is handed over until it is released',
      how: `${route('POST', `orders/${orderId}/unhold`)}.`,
    }),
    inReview: { says: 'Its payment is under review; nothing of it is handed over until that has ended.' },
    payInvoice: (id: number, number: string, due: string): Way => ({
      says: `Pay the open invoice ${number} (${due} of the order is still to be paid)`,
      how: `${route('POST', `invoices/${id}/capture`)}.`,
    }),
    invoice: (orderId: number, due: string): Way => ({
      says: `Take the ${due} still to be paid`,
      how: `${route('POST', `order/${orderId}/invoice`)}.`,
    }),
    handOver: (orderId: number, goods: string): Way => ({
      says: `Hand over ${goods}`,
      how: `${route('POST', `order/${orderId}/ship`)}.`,
    }),
    payLayaway: (orderId: number, owed: string): Way => ({
      says: `Take a payment, ${owed} is owed`,
      how: `${route('POST', `pos/layaways/${orderId}/payments`)}.`,
      page: layawaysPage,
    }),
    cancelLayaway: (orderId: number): Way => ({
      says: 'Cancel it, with a fee or without',
      how: `${route('POST', `pos/layaways/${orderId}/cancel`)}.`,
      page: layawaysPage,
    }),
    notFollowed: { says: 'No workflow follows it yet: the hourly sweep or the next payment starts one.' },
    settleLayaway: (invoiceId: number): Way => ({
      says: 'Settle it: pay its open invoice',
      how: `${route('POST', `invoices/${invoiceId}/capture`)}.`,
    }),
    collectDue: (orderId: number, due: string): Way => ({
      says: `Collect what is due, ${due}`,
      how: `${route('POST', `pos/orders/${orderId}/due-payments`)}.`,
    }),
    issueCredit: (worth: string, body: string): Way => ({
      says: `Issue the store credit that a refund promised, ${worth}`,
      how: `${route('POST', 'pos/credits/refund')} ${body}`,
    }),
    notReady: {
      says:
        'Its creation is not finished. It is retried every minute and by each request; if its history says why it ' +
        'is held, fix that first.',
    },
    approve: (id: number): Way => ({
      says: 'Approve it, or refuse it',
      how: `${route('PUT', `pos/rma/${id}/status`)} with "approved" or "rejected".`,
      page: returnPage(id),
    }),
    receive: (id: number): Way => ({
      says: 'Take the goods in',
      how: `${route('POST', `pos/rma/${id}/receive`)}.`,
      page: returnPage(id),
    }),
    settle: (id: number): Way => ({
      says: 'Give the money back',
      how: `${route('POST', `pos/rma/${id}/settle`)} with a method (cash, terminal, original_payment …).`,
      page: returnPage(id),
    }),
    resolve: (id: number): Way => ({
      says: 'Decide line by line (refund, exchange, repair …)',
      how: `${route('POST', `pos/rma/${id}/resolve`)}.`,
    }),
    'cancel-refund': (id: number): Way => ({
      says: 'Keep the goods and cancel the refund',
      how: `${route('POST', `pos/rma/${id}/cancel-refund`)}.`,
      page: returnPage(id),
    }),
    close: (id: number): Way => ({
      says: 'Hand the goods back without a refund',
      how: `${route('POST', `pos/rma/${id}/close`)}.`,
      page: returnPage(id),
    }),
    tryAgain: (returnId: number | null): Way => ({
      says:
        returnId === null
          ? 'Nothing moved, so the refund can be tried again.'
          : `Nothing moved, so return ${returnId} can be settled again, through the gateway or in another way.`,
    }),
    wait: { says: 'Wait: the call is being made. A minute after its deadline the service checks it automatically.' },
    seeWorkflow: (workflow: string): Way => ({ says: `To see it at work: workflow ${workflow} in the Temporal page.` }),
    lookInPortal: (reference: string): Way => ({
      says: `This gateway cannot be asked. Look for ${reference} in its portal.`,
    }),
    askAgain: (id: number): Way => ({
      says: 'Ask the gateway again',
      how: `npm run pos -- refunds reconcile ${id}`,
      page: doubtsPage,
    }),
    ifItWent: (id: number): Way => ({
      says: "Look at the gateway's own page or statement; if the money went back",
      how: `npm run pos -- refunds resolve ${id} refunded --staff NAME --note TEXT`,
      page: doubtsPage,
    }),
    ifItDidNot: (id: number): Way => ({
      says: 'If it did not',
      how: `npm run pos -- refunds resolve ${id} not_refunded --staff NAME --note TEXT`,
      page: doubtsPage,
    }),
    untilThen: (returnId: number | null, isRequestedAgain: boolean): Way => ({
      says: `Until then ${returnId === null ? 'no other refund of this order without a return goes through its gateway' : 'nothing else of this return is refunded'}.${isRequestedAgain ? ' The service asks the gateway again automatically: soon, then hourly, then daily.' : ''}`,
    }),
  },
};

const whoRan = (provider: string | null) =>
  provider === null ? 'the core refund' : `the returns provider ${quoted(provider)}`;

export type StoryWords = typeof english;
