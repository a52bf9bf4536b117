import { outcomesOf } from './openapi/meaning.ts';
import { operationIdOf } from './openapi/operation.ts';
import { examplesOf } from './openapi/recorded-examples.ts';
import { escapeHtml, markdownLine } from './plain-markdown.ts';
import type { AnyRoute, Example, Outcome } from './route.ts';

/** An operation as one line, with what opens below it: nothing on the first page, which fetches it; else it is open. */
export const operationHtml = (route: AnyRoute, body: string): string =>
  `<details id="${operationIdOf(route)}"${body === '' ? '' : ' open'}><summary><b class="${route.method}">${route.method}</b> <code>${route.path}</code> <span>${escapeHtml(route.summary)}</span></summary>${body}</details>`;

/** What an operation is for, what it needs, its fields, how it is refused, and calls to copy. */
export function operationBody(route: AnyRoute, fields = ''): string {
  const { description = '' } = route;
  const resources = [route.acl].flat().join(', ');
  return `
<p>${markdownLine(description)}</p>
<p class="needs">${operationIdOf(route)} · needs ${escapeHtml(resources)}</p>
<table>${outcomesOf(route).map(outcomeRow).join('')}</table>
${callsOf(route)}
${fields}
`;
}

/** At least one call, for a reader who copies it. */
const callsOf = (route: AnyRoute) =>
  examplesOf(route)
    .slice(0, 2)
    .map((example) => exampleHtml(route, example))
    .join('\n') || callHtml(curlOf(route, {}));

/** What a reader may look for: path, purpose, texts, refusals and examples. */
export const searchText = (route: AnyRoute): string =>
  `${route.method} ${route.path} ${route.summary} ${operationBody(route)}`
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();

const outcomeRow = ({ status, code, message, when, then }: Outcome) =>
  `<tr><td>${status}</td><td>${code === undefined ? '' : `<code>${code}</code> `}“${escapeHtml(message)}” ${markdownLine(when)}${then === undefined ? '' : ` <em>${markdownLine(then)}</em>`}</td></tr>`;

/** Longer answers are shown only on the chapter's page. */
const longestShown = 1_200;

function exampleHtml(route: AnyRoute, example: Example): string {
  const answer = JSON.stringify(example.response, null, 2);
  const shown = answer.length > longestShown ? `${answer.slice(0, longestShown)}\n…` : answer;
  return `<h3>${escapeHtml(example.title)}</h3>${callHtml(curlOf(route, example))}<pre>${escapeHtml(shown)}</pre>`;
}

const callHtml = (call: string) =>
  `<div class="call"><button type="button">Copy</button><pre>${escapeHtml(call)}</pre></div>`;

/** A call for a shell. */
function curlOf(route: AnyRoute, { params = {}, query, body }: Partial<Example>): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name] ?? name)));
  const isOpen = [route.acl].flat().includes('anonymous');
  return [
    `curl -g${route.method === 'GET' ? '' : ` -X ${route.method}`} "$POS/rest${path}${query === undefined ? '' : `?${query}`}"`,
    ...(isOpen ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body).replaceAll("'", String.raw`'\''`)}'`]),
  ].join(' \\\n  ');
}
