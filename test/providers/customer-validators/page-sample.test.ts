import { expect, test } from 'vitest';
import type { RegisterDraft } from '../../../domain/customers/register-draft.ts';
import type { CustomerValidator } from '../../../providers/customer-validators/customer-validator.ts';
import { pageSample } from '../../support/page-sample.ts';

interface Sample {
  clubMember: CustomerValidator;
}

const empty: RegisterDraft = {
  ...{ email: '', firstname: '', lastname: '', company: '', taxvat: '', phone: '', street: '', city: '' },
  ...{ postcode: '', countryCode: '', dob: '', websiteId: 0, customerId: 0, locationId: 0 },
};
const context = { websiteId: 1, countryId: 'US', isEmailTaken: false, today: '2026-11-23', deadline: new Date(0) };

test.each([
  ['Rowers Ltd', 'Rowers', []],
  ['Rowers Ltd', '', []],
  ['rowers Ltd', 'Rowers', [{ severity: 'normalize', suggestedValue: 'Rowers Ltd' }]],
  ['Sailors', 'Rowers', [{ field: 'company', code: 'no_member', severity: 'error' }]],
])('the sample of docs/extend/customer-validator.md says of %j in the club %j: %j', async (company, club, rows) => {
  const file = 'providers/customer-validators/club-member.ts';
  const { clubMember } = await pageSample<Sample>('docs/extend/customer-validator.md', file);
  const found = await clubMember.validate({ ...empty, company }, { ...context, setting: () => club });
  expect(found).toMatchObject(rows);
  expect(found).toHaveLength(rows.length);
});
