import { expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { declaredOutcomes, faultsOf, unseenOutcomes } from '../../support/unseen-outcomes.ts';

test('an outcome is seen by its code, its sentence, or the beginning of its sentence', () => {
  const declared = ['GET /V1/a 404 No such thing', 'POST /V1/b 409 in_doubt', 'POST /V1/b 400 It failed: …'];
  const seen = new Set(['GET /V1/a 404 No such thing', 'POST /V1/b 400 It failed: the till is closed']);
  expect(unseenOutcomes(declared, seen)).toEqual(['POST /V1/b 409 in_doubt']);
});

test('a whole run fails for an outcome without a test', () => {
  expect(faultsOf(['a'])).toEqual([expect.stringContaining('No test was answered')]);
  expect(faultsOf([])).toEqual([]);
});

test('every route tells its outcomes by a code or a sentence of its own', () => {
  expect(declaredOutcomes(routes).length).toBeGreaterThan(1_000);
});
