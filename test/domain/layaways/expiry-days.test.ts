import { expect, test } from 'vitest';
import { expiryDaysOf, type ExpirySettings } from '../../../domain/layaways/expiry-days.ts';

const silent: ExpirySettings = { terminal: null, location: null, locationOverrides: null, shop: '30' };

test.each<[string, Partial<ExpirySettings>, number]>([
  ['the shop’s where nobody else says', {}, 30],
  ['the location’s over the shop’s', { location: 60 }, 60],
  ['the location’s own field over its overrides', { location: 60, locationOverrides: { layaway_expiry_days: 7 } }, 60],
  ['the location’s overrides where its field inherits', { locationOverrides: { layaway_expiry_days: '7' } }, 7],
  ['the terminal’s over all', { terminal: { layaway_expiry_days: 14 }, location: 60 }, 14],
  ['null inherits', { terminal: { layaway_expiry_days: null }, location: 60 }, 60],
  ['zero is no window, and a value', { location: 0 }, 0],
  ['what is no number inherits', { terminal: { layaway_expiry_days: 'soon' } }, 30],
  ['a shop that says nothing has no window', { shop: '' }, 0],
  ['less than nothing is none', { location: -1 }, 0],
  ['no layaway lasts longer than a century', { location: 2_000_000_000 }, 36_500],
])('a layaway expires after the days of its place: %s', (_case, given, days) => {
  expect(expiryDaysOf({ ...silent, ...given })).toBe(days);
});
