import { describe, expect, test } from 'vitest';
import { money } from '../../../../domain/money/amount.ts';
import type { RefundableOrder } from '../../../../domain/platform/credit-memos/credit-memo-figures.ts';
import { aRefundableOrder, aRequest, type WantedMemo } from '../../../support/builders/refundable-order.ts';
import { refunds, sums, refusal, line } from './quoted-refunds.ts';

describe('refusals', () => {
  const sold = aRefundableOrder({ lines: [line(2, '100', '8')] });

  const paidEight = { ...sold.base, totalPaid: money('20'), returnedWithoutMemo: money('12') };
  const cancelled = { ...sold, state: 'canceled', status: 'canceled', base: paidEight, order: paidEight } as const;

  test.each<[string, Partial<RefundableOrder>, WantedMemo, string | undefined]>([
    ['its money, up to what did not go back otherwise', {}, { take: { 1: 0 }, positive: '8' }, undefined],
    ['a cent more', {}, { take: { 1: 0 }, positive: '8.01' }, 'The most money available to refund is 8.'],
    ['goods', {}, { take: { 1: 1 }, negative: '50' }, 'has a status of canceled'],
    ['nothing', {}, { take: { 1: 0 } }, 'has a status of canceled'],
    [
      'a fee that was kept',
      { isLayawayCancelled: true },
      { take: { 1: 0 }, positive: '8' },
      'has a status of canceled',
    ],
  ])('of a cancelled order come back: %s', (_what, more, wanted, message) => {
    const said = refusal({ ...cancelled, ...more }, aRequest(wanted))?.message;
    if (message === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(message);
  });

  test.each(['payment_review', 'holded', 'canceled', 'closed'] as const)(
    'nothing comes back of an order that is %s',
    (state) => {
      expect(refusal({ ...sold, state, status: state }, aRequest({ take: { 1: 1 } }))?.message).toBe(
        `Creditmemo Document Validation Error(s):\nA creditmemo can not be created when an order has a status of ${state}`,
      );
    },
  );

  test('an order that paid nothing gives nothing back', () => {
    const unpaid = {
      ...sold,
      base: { ...sold.base, totalPaid: money('0') },
      order: { ...sold.order, totalPaid: money('0') },
    };
    expect(refusal(unpaid, aRequest())?.message.split('\n')).toEqual([
      'Creditmemo Document Validation Error(s):',
      'The order does not allow a creditmemo to be created.',
      'The most money available to refund is 0.',
    ]);
  });

  test('an order of nothing gives its goods back', () => {
    const gift = aRefundableOrder({ lines: [line(2, '0')] });
    expect(sums(refunds(gift, {}).memos[0])).toMatchObject({ rows: ['0'], grand: '0' });
  });

  test('a fee above the goods would take money', () => {
    expect(refusal(sold, aRequest({ take: { 1: 1 }, negative: '54.01' }))?.message).toContain(
      "The credit memo's total must be positive.",
    );
    expect(sums(refunds(sold, { take: { 1: 1 }, negative: '54' }).memos[0])).toMatchObject({ grand: '0' });
  });

  test('an amount below zero is refused', () => {
    expect(refusal(sold, aRequest({ positive: '-1' }))).toEqual({
      status: 400,
      message: 'The %fieldName value of "%value" must be greater than or equal to %minValue.',
      parameters: { fieldName: 'adjustmentPositive', value: '-1', minValue: 0 },
    });
  });

  test('a line of another order is named after all else', () => {
    expect(refusal(sold, aRequest({ take: { 1: 2, 9: 1 }, positive: '1' }))?.message.split('\n')).toEqual([
      'Creditmemo Document Validation Error(s):',
      'The most money available to refund is 108.',
      'The creditmemo contains product item that is not part of the original order.',
    ]);
  });

  test('money promised to a refund under way is not there for another', () => {
    expect(refusal({ ...sold, basePendingRefund: money('54.01') }, aRequest({ take: { 1: 1 } }))?.message).toContain(
      'The most money available to refund is 53.99.',
    );
  });
});
