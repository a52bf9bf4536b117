import { expect, test } from '@jest/globals';
import { locationFault } from '../../../domain/locations.ts';

test.each([
  [{}, undefined],
  [{ name: 'High Street', code: 'high-street' }, undefined],
  [{ name: '' }, 'a location needs a name'],
  [{ name: '\t' }, 'a location needs a name'],
  [{ code: ' ' }, 'a location needs a code'],
  [{ lowStockThreshold: 0, receiptLogoSize: 0, layawayExpiryDays: 0 }, undefined],
  [{ lowStockThreshold: null, receiptLogoSize: null, layawayExpiryDays: null }, undefined],
  [{ lowStockThreshold: -1 }, 'the low-stock threshold is below zero'],
  [{ receiptLogoSize: -1 }, 'the size of the logo is below zero'],
  [{ layawayExpiryDays: -1 }, 'the days until a layaway expires are below zero'],
  [{ layawayDepositMinPercent: '0', layawayCancellationFeePercent: '100.0000' }, undefined],
  [{ layawayDepositMinPercent: null, layawayCancellationFeePercent: null }, undefined],
  [{ layawayDepositMinPercent: '-0.0001' }, 'the minimum deposit is not a percentage from 0 to 100'],
  [{ layawayCancellationFeePercent: '100.0001' }, 'the cancellation fee is not a percentage from 0 to 100'],
])('%j: %s', (fields, fault) => {
  expect(locationFault(fields)).toBe(fault);
});
