import type { Ready } from '../ready-file.ts';

/** A request of the demo, as it goes out. */
export interface Sent {
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** JSON. */
  body?: string;
  /** The fields of a page's form. */
  form?: Readonly<Record<string, string>>;
}

/** What the commands need of this start: its addresses and tokens, as variables of a shell. */
const variablesOf = (ready: Ready): [name: string, value: string][] => [
  ['API', ready.api],
  ['SITE', new URL(ready.api).origin],
  ['GATEWAY', ready.gateway],
  ['REGISTER_TOKEN', ready.registerToken],
  ['ADMIN_TOKEN', ready.adminToken],
];

/** A line a variable, to be pasted before the commands. */
export const shellVariables = (ready: Ready): string =>
  variablesOf(ready)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join('\n');

/** The request as a command of a shell. What differs between two starts stands as a variable. */
export function curlCommand({ method, url, headers, body, form = {} }: Sent, ready: Ready): string {
  const isForm = Object.keys(form).length > 0;
  return [
    `curl -gsS -w '\\n'${method === 'GET' || isForm ? '' : ` -X ${method}`} ${withVariables(url, ready)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${withVariables(`${name}: ${value}`, ready)}`),
    ...(body === undefined ? [] : [`--data ${quoted(body)}`]),
    ...Object.entries(form).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`),
  ].join(' \\\n  ');
}

/** For a shell, in double quotes where a variable stands in it. */
function withVariables(text: string, ready: Ready): string {
  const [found] = variablesOf(ready).filter(([, value]) => text.includes(value));
  if (found === undefined) return quoted(text);
  const [name, value] = found;
  return `"${text
    .split(value)
    .map((part) => part.replaceAll(/["\\$`]/g, String.raw`\$&`))
    .join(`$${name}`)}"`;
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
