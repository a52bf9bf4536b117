import type { AnyRoute } from '../../api/http/route.ts';
import { readSeen, routeFinder, writeSeen } from './seen-outcomes.ts';

/**
 * What tests were answered with: of each test file the first answer of each operation and status. The last step of a
 * whole run holds them against the API document.
 */

export interface SeenAnswer {
  method: string;
  /** As in the document, except for the names of its variables. */
  path: string;
  status: number;
  /** Without its parameters. */
  type: string;
  text: string;
}

/** Longer answers are long lists; shorter ones show the same keys. */
const longest = 200_000;

const later = { async: '/rest/async/V1/:route', bulk: '/rest/async/bulk/V1/:route' };

/** Notes the first answers of an API under test. */
export function noteAnswers(routes: readonly AnyRoute[]) {
  const find = routeFinder(routes);
  const noted = new Set<string>();
  return (answer: SeenAnswer): void => {
    if (answer.status < 200 || answer.status > 299 || answer.text.length > longest) return;
    const found = find(answer.method, answer.path);
    if (!found) return;
    // What goes later goes the same way with each method; the document has one.
    const { method, path } =
      found.way === 'now'
        ? { method: answer.method, path: `/rest${found.route.path}` }
        : { method: 'POST', path: later[found.way] };
    const key = `${method} ${path} ${answer.status}`;
    if (noted.has(key)) return;
    noted.add(key);
    writeSeen('answers', [JSON.stringify({ ...answer, method, path })]);
  };
}

/** All answers of a run. */
export const seenAnswers = (folder: string): SeenAnswer[] =>
  readSeen(folder, 'answers').map((line): SeenAnswer => JSON.parse(line));
