import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { add, amount, type Amount } from '../../../domain/money.ts';
import {
  behaviours,
  outcomeOf,
  type Call,
  type Fact,
  type Manner,
  type Modes,
  type Outcome,
  type Payment,
  type Protection,
  type Reason,
  type Refund,
  type RefundOrder,
} from './records.ts';

/** Only the owner may read what the processor did. */
const ownerOnly = 0o600;

/**
 * A file of facts, one JSON line each, written before they are answered. So every answer stays true after a restart.
 */
export class Journal<Fact> {
  readonly #file: string | undefined;

  /** Without a file the facts last as long as the process. */
  constructor(file: string | undefined) {
    this.#file = file;
    if (file) mkdirSync(dirname(file), { recursive: true });
  }

  /** Throws where the disk is full: the fact then does not count, and a partial line is removed. */
  append(fact: Fact): void {
    if (!this.#file) return;
    const before = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    try {
      appendFileSync(this.#file, `${JSON.stringify(fact)}\n`, { mode: ownerOnly });
    } catch (error) {
      if (statSync(this.#file).size > before) truncateSync(this.#file, before);
      throw error;
    }
  }

  /** All facts in order. A last line cut off by a crash was never answered, so it is removed. */
  read(): Fact[] {
    if (!this.#file || !existsSync(this.#file)) return [];
    const text = readFileSync(this.#file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    if (whole.length < text.length) truncateSync(this.#file, Buffer.byteLength(whole));
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Fact => JSON.parse(line));
  }

  clear(): void {
    if (this.#file) writeFileSync(this.#file, '', { mode: ownerOnly });
  }
}

/** The processor's answer to a refund order, and how it is sent. */
export type Verdict =
  | { said: 'refund'; refund: Refund; isRepeated: boolean; manner: Manner }
  | { said: 'key_reused'; manner: Manner }
  | { said: 'nothing'; manner: Manner };

export type LookUp =
  | { says: 'not_found' }
  | { says: 'unavailable' }
  | { says: 'pending'; refund: Refund }
  | { says: 'known'; refund: Refund };

export const defaultModes: Modes = { keys: 'honoured', cap: true, strict: false, silenceMs: 30_000, slowMs: 3_000 };

/** Only the page shows calls this old. */
const storedCalls = 5_000;

/** The processor's own record of its money: in memory, and in a journal that outlives the process. */
export class Ledger {
  readonly #journal: Journal<Fact>;
  readonly #payments = new Map<string, Payment>();
  readonly #refunds = new Map<string, Refund>();
  #calls: Call[] = [];
  #next: Outcome[] = [];
  #modes = defaultModes;

  constructor(journalFile?: string) {
    this.#journal = new Journal(journalFile);
    for (const fact of this.#journal.read()) this.#apply(fact);
  }

  get refunds(): Refund[] {
    return [...this.#refunds.values()];
  }

  get payments(): Payment[] {
    return [...this.#payments.values()];
  }

  get calls(): readonly Call[] {
    return this.#calls;
  }

  get modes(): Modes {
    return this.#modes;
  }

  get next(): readonly Outcome[] {
    return this.#next;
  }

  takePayment(taken: Omit<Payment, 'id' | 'at'>): Payment {
    const payment = { ...taken, id: `pay_${randomBytes(9).toString('hex')}`, at: new Date().toISOString() };
    this.#note({ fact: 'payment', payment });
    return payment;
  }

  /**
   * Carries out a refund order. The same idempotency key gets the same refund again; with another amount or payment
   * it is refused.
   */
  refund(order: RefundOrder): Verdict {
    const known = this.#protectionOf(order).keys === 'honoured' ? this.#byKey(order) : undefined;
    return known ? this.#repeat(known, order) : this.#carryOut(order);
  }

  /** The processor's answer to a look-up by merchant reference; each look-up moves slow ones on. */
  lookUp({ provider, merchantReference }: Pick<RefundOrder, 'provider' | 'merchantReference'>): LookUp {
    const refund = this.refunds.find((one) => one.provider === provider && one.references.includes(merchantReference));
    if (!refund) return { says: 'not_found' };
    this.#note({ fact: 'look_up', refundId: refund.id });
    const { memory } = behaviours[refund.outcome];
    if (memory === 'unavailable') return { says: 'unavailable' };
    if (memory === 'no_once' && refund.lookUps <= 1) return { says: 'not_found' };
    return { says: memory === 'pending_twice' && refund.lookUps <= 2 ? 'pending' : 'known', refund };
  }

  /** Its recorded refunds of a payment, whatever was answered; the newest last. */
  refundsOf(provider: Refund['provider'], paymentId: string): Refund[] {
    return this.refunds.filter((one) => one.provider === provider && one.paymentId === paymentId);
  }

  /** Sets the outcome of the next calls, whatever their cents. */
  plan(outcome: Outcome, times: number): void {
    this.#note({ fact: 'next', outcomes: [...this.#next, ...Array.from({ length: times }, () => outcome)] });
  }

  change(modes: Partial<Modes>): void {
    this.#note({ fact: 'modes', modes: { ...this.#modes, ...modes } });
  }

  /** Deletes everything, as if newly started. */
  reset(): void {
    this.#journal.clear();
    this.#payments.clear();
    this.#refunds.clear();
    [this.#calls, this.#next, this.#modes] = [[], [], defaultModes];
  }

  #carryOut(order: RefundOrder): Verdict {
    const outcome = this.#takeNext() ?? outcomeOf(order);
    const { acts, manner } = behaviours[outcome];
    this.#noteCall(order, outcome, manner);
    if (acts === 'lost') return { said: 'nothing', manner };
    const reason = this.#refusal(order) ?? (acts === 'declines' ? 'refund_declined' : null);
    const refund: Refund = {
      ...order,
      id: `re_${randomBytes(9).toString('hex')}`,
      state: reason ? 'declined' : 'refunded',
      reason,
      outcome,
      isKnownPayment: this.#payments.has(order.paymentId ?? ''),
      at: new Date().toISOString(),
      references: [order.merchantReference],
      lookUps: 0,
    };
    this.#note({ fact: 'refund', refund });
    return { said: 'refund', refund, isRepeated: false, manner };
  }

  #repeat(refund: Refund, order: RefundOrder): Verdict {
    const isSame =
      refund.amount === order.amount && refund.currency === order.currency && refund.paymentId === order.paymentId;
    this.#noteCall(order, isSame ? 'repeated' : 'key_reused', 'prompt');
    if (!isSame) return { said: 'key_reused', manner: 'prompt' };
    const { merchantReference } = order;
    if (!refund.references.includes(merchantReference))
      this.#note({ fact: 'reference', refundId: refund.id, merchantReference });
    return { said: 'refund', refund, isRepeated: true, manner: 'prompt' };
  }

  #refusal(order: RefundOrder): Reason | undefined {
    const payment = this.#payments.get(order.paymentId ?? '');
    if (!payment && this.#modes.strict) return 'payment_unknown';
    const captured = payment?.amount ?? order.captured;
    if (!this.#protectionOf(order).cap || captured === null) return undefined;
    return add(this.#givenBack(order), order.amount) > captured ? 'amount_exceeds_captured' : undefined;
  }

  /** From the same payment; where the shop sent no payment, from the same order. */
  #givenBack({ provider, paymentId, orderReference }: RefundOrder): Amount {
    const isSameSource = (one: Refund) =>
      paymentId === null
        ? one.paymentId === null && one.orderReference === orderReference
        : one.paymentId === paymentId;
    const input = this.refunds.filter(
      (one) => one.provider === provider && one.state === 'refunded' && isSameSource(one),
    );
    return input.reduce((sum, one) => add(sum, one.amount), amount(0));
  }

  #protectionOf({ provider }: RefundOrder): Protection {
    return this.#modes.only?.[provider] ?? this.#modes;
  }

  #byKey({ provider, idempotencyKey }: RefundOrder): Refund | undefined {
    return this.refunds.find((one) => one.provider === provider && one.idempotencyKey === idempotencyKey);
  }

  #takeNext(): Outcome | undefined {
    const [first, ...rest] = this.#next;
    if (first) this.#note({ fact: 'next', outcomes: rest });
    return first;
  }

  #noteCall(order: RefundOrder, outcome: Call['outcome'], manner: Manner): void {
    const { provider, idempotencyKey, merchantReference, amount: request, currency } = order;
    const at = new Date().toISOString();
    const call = { provider, idempotencyKey, merchantReference, amount: request, currency, outcome, manner, at };
    this.#note({ fact: 'call', call });
  }

  #note(fact: Fact): void {
    this.#journal.append(fact);
    this.#apply(fact);
  }

  #apply(fact: Fact): void {
    if (fact.fact === 'payment') this.#payments.set(fact.payment.id, fact.payment);
    if (fact.fact === 'refund') this.#refunds.set(fact.refund.id, fact.refund);
    if (fact.fact === 'reference') this.#refunds.get(fact.refundId)?.references.push(fact.merchantReference);
    if (fact.fact === 'call') this.#calls = [...this.#calls, fact.call].slice(-storedCalls);
    if (fact.fact === 'next') this.#next = fact.outcomes;
    if (fact.fact === 'modes') this.#modes = fact.modes;
    const seen = fact.fact === 'look_up' ? this.#refunds.get(fact.refundId) : undefined;
    if (seen) seen.lookUps += 1;
  }
}
