import { expect, test } from '@jest/globals';
import { routes } from '../../../api/routes.ts';
import { declaredOutcomes, faultsOf, listedAsUnseen, unseenOutcomes } from '../../support/unseen-outcomes.ts';

test('an outcome is seen by its code, its sentence, or the beginning of its sentence', () => {
  const declared = ['GET /V1/a 404 No such thing', 'POST /V1/b 409 in_doubt', 'POST /V1/b 400 It failed: …'];
  const seen = new Set(['GET /V1/a 404 No such thing', 'POST /V1/b 400 It failed: the till is closed']);
  expect(unseenOutcomes(declared, seen)).toEqual(['POST /V1/b 409 in_doubt']);
});

test('a whole run fails for an outcome without a test that is not listed', () => {
  expect(faultsOf(['a', 'b'], ['b'])).toEqual([expect.stringContaining('No test was answered')]);
  expect(faultsOf(['a'], ['a'])).toEqual([]);
});

test('the list of unseen outcomes has no line of a route that is not there', () => {
  const declared = declaredOutcomes(routes);
  expect(listedAsUnseen().filter((line) => !declared.includes(line))).toEqual([]);
});
