import { hash } from 'node:crypto';
import { z } from 'zod';
import type { GatewaySettings } from '../../domain/configuration/setting-defaults.ts';
import { inMinorUnits, minorText } from '../../domain/currency-texts.ts';
import { parseAmount, type Amount } from '../../domain/money.ts';
import { lookUpSeconds, type RefundFinding } from '../../domain/refunds/refund-finding.ts';
import { deadlineIn } from '../deadline.ts';
import {
  callGateway,
  cannotSay,
  isResponse,
  longestReference,
  notFound,
  notProcessed,
  otherRefund,
  pending,
  refunded,
  refused,
  repeatedNo,
  tooFine,
  unrecognised,
  wordsOf,
  type GatewayResponse,
} from './findings.ts';
import type {
  RequestedRefund,
  FactsOfGateways,
  KnownRefund,
  PaymentGateway,
  PaymentGateways,
  RefundRequest,
} from './payment-gateway.ts';
import { createProviderB } from './provider-b.ts';

export interface ProviderASettings {
  baseUrl: string;
  apiKey: string;
  lookUpTimeoutMs: number;
}

const refundAnswer = z.object({
  id: z.string().min(1).max(longestReference),
  status: z.enum(['succeeded', 'failed', 'pending']),
  failure_code: z.string().nullish(),
  amount: z
    .object({ value: z.string().max(32), currency: z.string().regex(/^[A-Z]{3}$/) })
    .optional()
    .catch(undefined),
  payment_id: z.string().nullish().catch(''),
  reference: z.string().optional().catch(undefined),
});
/** More refunds than a payment has. A list this long is not trusted, because it may be cut off. */
const mostRefunds = 100;
const refundList = z.object({ data: z.array(refundAnswer).max(mostRefunds), has_more: z.literal(false) });
const errorAnswer = z.object({ error: z.object({ code: z.string(), message: z.string().optional() }) });

/** Documented refusals of a refund: this call refunded nothing and never will. */
const refusals = new Set([
  'refund_declined',
  'amount_exceeds_captured',
  'payment_unknown',
  'invalid_request',
  'authentication_failed',
]);

/** Documented for 429 and 503: the refund was not processed. */
const unprocessed = new Set(['rate_limited', 'not_processed']);

/** The prefix of references from its order-based interface, which are not payments. */
const orderPrefix = 'ord_';

/** The card processor behind `provider_a`: REST, decimal amounts, meaningful statuses. */
export function createProviderA({ baseUrl, apiKey, lookUpTimeoutMs }: ProviderASettings): PaymentGateway {
  const headers = { authorization: `Bearer ${apiKey}` };
  return {
    code: 'provider_a',
    canLookUp: true,
    canTrack: (payment) => payment !== null && payment !== '' && !payment.startsWith(orderPrefix),

    async refund(request) {
      const body = refundBody(request);
      if (body === undefined) return tooFine;
      const answer = await callGateway({
        url: `${baseUrl}/v1/refunds`,
        method: 'POST',
        headers: { ...headers, 'idempotency-key': request.idempotencyKey },
        body,
        deadline: request.deadline,
      });
      return isResponse(answer) ? readRefund(answer, request, apiKey) : answer;
    },

    async refundsOf(paymentReference) {
      const answer = await callGateway({
        url: `${baseUrl}/v1/refunds?payment_id=${encodeURIComponent(paymentReference)}`,
        method: 'GET',
        headers,
        deadline: deadlineIn(lookUpTimeoutMs),
      });
      const parsed = isResponse(answer) && answer.status === 200 ? refundList.safeParse(answer.body) : undefined;
      return parsed?.data?.data.filter(({ status }) => status !== 'failed').map(knownRefund);
    },

    async lookUpRefund(query) {
      const answer = await callGateway({
        url: `${baseUrl}/v1/refunds?reference=${encodeURIComponent(query.merchantReference)}`,
        method: 'GET',
        headers,
        deadline: deadlineIn(lookUpTimeoutMs),
      });
      return isResponse(answer) ? readLookUp(answer, query) : cannotSay;
    },
  };
}

function refundBody(request: RefundRequest) {
  const amount = decimal(request.amount, request.currencyCode);
  return (
    amount && {
      payment_id: request.paymentReference,
      amount,
      captured_amount: decimal(request.capturedAmount, request.currencyCode) ?? null,
      reference: request.merchantReference,
      order_reference: request.orderReference,
    }
  );
}

function decimal(amount: Amount, currency: string) {
  const minor = inMinorUnits(amount, currency);
  return minor === undefined ? undefined : { value: minorText(minor, currency), currency };
}

function readRefund(response: GatewayResponse, request: RequestedRefund, apiKey: string): RefundFinding {
  const { status, headers, body } = response;
  const refund = refundAnswer.safeParse(body);
  if ((status === 201 || status === 200) && refund.success && refund.data.status === 'succeeded') {
    return isOther(request, refund.data) ?? refunded(refund.data.id);
  }
  const answer = errorAnswer.safeParse(body);
  if (!answer.success) return unrecognised(response);
  const { code, message } = answer.data.error;
  const words = wordsOf(message, [apiKey]);
  const isUnprocessed = (status === 429 || status === 503) && unprocessed.has(code);
  const isRefusal = status >= 400 && status < 500 && refusals.has(code);
  if (!isUnprocessed && !isRefusal) return unrecognised(response);
  if (headers['idempotent-replayed'] === 'true') return repeatedNo(words);
  return isUnprocessed ? notProcessed(words) : refused(outcomeOf(code), words);
}

function readLookUp({ status, body }: GatewayResponse, request: RequestedRefund): RefundFinding {
  const refund = refundAnswer.safeParse(body);
  if (status === 200 && refund.success) {
    const other = isOther(request, refund.data);
    if (other) return other;
    if (refund.data.status === 'succeeded') return refunded(refund.data.id);
    return refund.data.status === 'pending' ? pending : refused(outcomeOf(refund.data.failure_code), undefined);
  }
  const error = errorAnswer.safeParse(body);
  return status === 404 && error.success && error.data.error.code === 'not_found' ? notFound : cannotSay;
}

function isOther(request: RequestedRefund, reported: z.output<typeof refundAnswer>): RefundFinding | undefined {
  const { amount, payment_id: paymentReference, reference: merchantReference } = reported;
  const value = amount && parseAmount(amount.value);
  const minor = amount && value !== undefined ? inMinorUnits(value, amount.currency) : undefined;
  return otherRefund(request, { minor, currencyCode: amount?.currency, paymentReference, merchantReference });
}

const knownRefund = ({ id, amount, reference }: z.output<typeof refundAnswer>): KnownRefund => ({
  gatewayReference: id,
  merchantReference: reference ?? null,
  amountText: amount ? `${amount.value} ${amount.currency}` : 'an unknown amount',
});

const outcomeOf = (code: string | null | undefined) =>
  code === 'refund_declined' ? 'declined' : (wordsOf(code, []) ?? 'failed');

export interface ProviderCSettings {
  baseUrl: string;
  merchantKey: string;
}

const answerSchema = z.discriminatedUnion('result', [
  z.object({
    result: z.literal('ok'),
    refund_no: z.string().min(1).max(longestReference),
    minor: z.int().optional().catch(undefined),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/)
      .optional()
      .catch(undefined),
    payment: z.string().nullish().catch(''),
    note: z.string().optional().catch(undefined),
  }),
  z.object({ result: z.literal('refused'), reason: z.string(), text: z.string().nullish(), stored: z.boolean() }),
  z.object({ result: z.literal('busy'), text: z.string().nullish() }),
]);

/** Documented reasons: this call refunded nothing and never will. */
const providerCRefusals = new Set([
  'declined',
  'amount_exceeds_captured',
  'payment_unknown',
  'invalid_request',
  'authentication_failed',
]);

/**
 * The processor behind `provider_c`. It answers once and keeps no records to ask for, so a person must find out about
 * its uncertain refunds (spec 4.8).
 */
export function createProviderC({ baseUrl, merchantKey }: ProviderCSettings): PaymentGateway {
  return {
    code: 'provider_c',
    canLookUp: false,
    canTrack: (payment) => payment !== null && payment !== '',

    async refund(request) {
      const body = providerCRefundBody(request);
      if (body === undefined) return tooFine;
      const answer = await callGateway({
        url: `${baseUrl}/payments/${encodeURIComponent(request.paymentReference ?? '')}/give-back`,
        method: 'POST',
        headers: { 'x-merchant-key': merchantKey, 'x-once': request.idempotencyKey },
        body,
        deadline: request.deadline,
      });
      return isResponse(answer) ? providerCReadRefund(answer, request, merchantKey) : answer;
    },

    lookUpRefund: () => Promise.resolve(cannotSay),
  };
}

function providerCRefundBody(request: RefundRequest) {
  const minor = inMinorUnits(request.amount, request.currencyCode);
  if (minor === undefined) return undefined;
  return {
    minor,
    captured_minor: inMinorUnits(request.capturedAmount, request.currencyCode) ?? null,
    currency: request.currencyCode,
    note: request.merchantReference,
    order: request.orderReference,
  };
}

function providerCReadRefund(response: GatewayResponse, request: RequestedRefund, merchantKey: string): RefundFinding {
  const { status, body } = response;
  const answer = answerSchema.safeParse(body);
  if (!answer.success) return unrecognised(response);
  const { data } = answer;
  if (data.result === 'ok') {
    if (status !== 200) return unrecognised(response);
    const { minor, currency: currencyCode, payment: paymentReference, note: merchantReference } = data;
    const reported = { minor, currencyCode, paymentReference, merchantReference };
    return otherRefund(request, reported) ?? refunded(data.refund_no);
  }
  const words = wordsOf(data.text, [merchantKey]);
  if (data.result === 'busy') return status === 429 || status === 503 ? notProcessed(words) : unrecognised(response);
  if (status !== 409 || !providerCRefusals.has(data.reason)) return unrecognised(response);
  return data.stored ? repeatedNo(words) : refused(data.reason, words);
}

export interface GatewayParts {
  /** The simulator of all processors; absent: only processors with an address exist. */
  simulatorUrl: string | undefined;
  /** The settings in the order's store view; read at each use, so that a changed key counts at once. */
  loadSettings: (storeId: number) => Promise<GatewaySettings>;
  /** Of extensions, in every store view. */
  others: readonly GatewayMember[];
}

/** A gateway of the list. */
export interface GatewayMember {
  /** Its path at the simulator. */
  code: string;
  paymentMethod: string;
  /** Empty: the simulator's address. */
  baseUrl: string;
  /** The value that identifies the account; only a digest of it is kept. */
  account: string;
  open: (baseUrl: string) => PaymentGateway;
}

const lookUpTimeoutMs = lookUpSeconds * 1000;

/**
 * The gateways of a shop, by the payment method of the order; of two with the same method the first counts. Offline
 * methods and processors without an address have none: such payments are refunded from the admin.
 */
export function createGateways({ simulatorUrl, loadSettings, others }: GatewayParts): PaymentGateways {
  return {
    async for({ paymentMethod, storeId }) {
      if (paymentMethod === '') return undefined;
      const all = [...members(await loadSettings(storeId)), ...others];
      const member = all.find((one) => one.paymentMethod === paymentMethod);
      const baseUrl = member && addressOf(member, simulatorUrl);
      if (member === undefined || baseUrl === undefined) return undefined;
      // The simulator counts as one address, whatever its port is today.
      const address = member.baseUrl === '' ? '' : baseUrl;
      return { ...member.open(baseUrl), account: digestOf(member.code, address, member.account) };
    },
  };
}

/** The same processors, of which only facts are known: their addresses may be unset. */
export function createGatewayFacts({ loadSettings, others }: Omit<GatewayParts, 'simulatorUrl'>): FactsOfGateways {
  return {
    async for({ paymentMethod, storeId }) {
      if (paymentMethod === '') return undefined;
      const all = [...members(await loadSettings(storeId)), ...others];
      const member = all.find((one) => one.paymentMethod === paymentMethod);
      if (!member) return undefined;
      const gateway = member.open(member.baseUrl);
      return { canLookUp: gateway.canLookUp, canTrack: (reference) => gateway.canTrack(reference) };
    },
  };
}

function addressOf({ baseUrl, code }: GatewayMember, simulatorUrl: string | undefined): string | undefined {
  if (baseUrl !== '') return baseUrl.replace(/(?<!\/)\/+$/, '');
  return simulatorUrl === undefined ? undefined : `${simulatorUrl}/${code}`;
}

/** The account as stored with an attempt: a digest that does not reveal its key. */
const digestOf = (...parts: string[]) => hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32);

/** The product's own processors, in order. */
const members = ({ providerA, providerB, providerC }: GatewaySettings): GatewayMember[] => [
  {
    ...providerA,
    code: 'provider_a',
    account: providerA.apiKey,
    open: (baseUrl) => createProviderA({ ...providerA, baseUrl, lookUpTimeoutMs }),
  },
  {
    ...providerB,
    code: 'provider_b',
    account: `${providerB.tokenCode} ${providerB.serviceId}`,
    open: (baseUrl) => createProviderB({ ...providerB, baseUrl, lookUpTimeoutMs }),
  },
  {
    ...providerC,
    code: 'provider_c',
    account: providerC.merchantKey,
    open: (baseUrl) => createProviderC({ ...providerC, baseUrl }),
  },
];
