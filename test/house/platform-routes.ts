import type { AnyRoute } from '../../api/http/route.ts';
import { chapterOf } from '../../api/http/openapi/meaning.ts';

/** A route of the real platform that is not served, and why. */
export interface MissingRoute {
  method: string;
  path: string;
  why: string;
}

/** The prefixes of the point of sale's own routes. */
const ownPaths = /^\/V1\/(pos|vendor-)/;

const head = `# The platform's routes

This page is made from \`api/routes.ts\` and \`test/house/documented-routes.txt\` by \`npm test -- test/house/documented\`; with
\`UPDATE_ROUTES=1\` the test writes it anew.

Behaviour is that of the platform's releases 2.4.6 to 2.4.8. Every route below \`/rest\` is also below \`/index.php/rest\`, with or
without the code of a store view, and every write also as a bulk below \`/async\`. The API page at \`/docs\` has fields, refusals and
examples.
`;

/** The reference page: what is served by chapter, what is not by reason. */
export function platformRoutesPage(routes: readonly AnyRoute[], missing: readonly MissingRoute[]): string {
  const served = routes.filter(({ path }) => !ownPaths.test(path));
  const chapters = Map.groupBy(served, ({ path }) => chapterOf(path));
  const reasons = Map.groupBy(missing, ({ why }) => why);
  return [
    head,
    `## Served: ${served.length}`,
    ...[...chapters].map(([chapter, all]) => `\n### ${chapter}\n\n${all.map(servedLine).join('\n')}`),
    `\n## Not served: ${missing.length}`,
    ...[...reasons].map(([why, all]) => `\n${sentence(why)}\n\n${all.map(missingLine).join('\n')}`),
    '',
  ].join('\n');
}

const servedLine = ({ method, path, summary }: AnyRoute) => `- \`${method} ${path}\`: ${summary}`;
const missingLine = ({ method, path }: MissingRoute) => `- \`${method} ${path}\``;
const sentence = (why: string) => `${why.charAt(0).toUpperCase()}${why.slice(1)}:`;
