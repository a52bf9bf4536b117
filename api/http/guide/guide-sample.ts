import hljs from 'highlight.js/lib/common';
import { escapeHtml } from '../plain-markdown.ts';

/** A block of code with colours, and what its button copies. */
export function sampleHtml(text: string, language: string): string {
  if (language === 'mermaid') return flowHtml(text);
  const copied = copiedText(text, language);
  const shown = language === 'http' ? httpHtml(text) : coloured(text, language === 'console' ? 'shell' : language);
  const button =
    copied === undefined
      ? ''
      : `<button type="button" data-copy="${escapeHtml(copied)}">${language === 'http' ? 'Copy as curl' : 'Copy'}</button>`;
  return `<div class="call">${button}<pre><code class="hljs">${shown}</code></pre></div>\n`;
}

const coloured = (text: string, language: string): string =>
  hljs.getLanguage(language) === undefined
    ? escapeHtml(text)
    : hljs.highlight(text, { language, ignoreIllegals: true }).value;

/** A request's or an answer's first line, its headers, and JSON. */
function httpHtml(text: string): string {
  const [head, body] = headAndBody(text);
  const [first = '', ...headers] = head.split('\n');
  const lines = [`<span class="hljs-title">${escapeHtml(first)}</span>`, ...headers.map(escapeHtml)];
  return body === undefined ? lines.join('\n') : `${lines.join('\n')}\n\n${coloured(body, 'json')}`;
}

function headAndBody(text: string): [head: string, body: string | undefined] {
  const at = text.indexOf('\n\n');
  return at < 0 ? [text.trimEnd(), undefined] : [text.slice(0, at), text.slice(at + 2).trimEnd()];
}

/** What a shell can take: of a dialogue the commands, of a request a call; of an answer nothing. */
function copiedText(text: string, language: string): string | undefined {
  if (language === 'http') return curlOf(text);
  if (language !== 'console') return text.trimEnd();
  const commands = text.split('\n').filter((line) => line.startsWith('$ '));
  return commands.map((line) => line.slice(2)).join('\n');
}

/** The variables of a sample are those of the shell: `$API` and the tokens as the guide's first page sets them. */
function curlOf(text: string): string | undefined {
  const [head, body] = headAndBody(text);
  const [first = '', ...headers] = head.split('\n');
  const [, method = '', path = ''] = /^(GET|POST|PUT|DELETE) (\/\S+)$/.exec(first) ?? [];
  if (method === '') return undefined;
  const isOurs = /^\/V1\//.test(path);
  const given = headers.some((line) => /^authorization:/i.test(line))
    ? headers
    : [...headers, ...(isOurs ? ['Authorization: Bearer $REGISTER_TOKEN'] : [])];
  const sent = body === undefined ? given : [...given, 'Content-Type: application/json'];
  return [
    `curl -sS -g${method === 'GET' ? '' : ` -X ${method}`} ${quoted(`${isOurs ? '$API' : '${API%/rest}'}${path}`)}`,
    ...sent.map((line) => `-H ${quoted(line)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ');
}

/** In double quotes, where the shell still puts variables in. */
const quoted = (text: string) => `"${text.replaceAll(/["\\`]/g, String.raw`\$&`)}"`;

/** A drawing that was written down: one line for each of its arrows. */
function flowHtml(text: string): string {
  const [, ...lines] = text.trimEnd().split('\n');
  const rows = lines.map((line) => {
    const [drawn = '', after] = line.trim().split(/:\s+/);
    const label = after ?? /"([^"]*)"/.exec(drawn)?.[1];
    const places = drawn.split(/-->|\.->/).map(placeIn);
    return `<li><b>${places.map(escapeHtml).join(' → ')}</b>${label === undefined ? '' : `: ${escapeHtml(label)}`}</li>`;
  });
  return `<ul class="flow">${rows.join('')}</ul>\n`;
}

/** What stands before an arrow, without the words on it. */
function placeIn(text: string): string {
  const [place = ''] = text.split(/ --? | -\. /, 1);
  return place.trim() === '[*]' ? 'start' : place.trim().replaceAll(' & ', ', ');
}
