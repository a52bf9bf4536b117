import { readFileSync } from 'node:fs';

/** What a page of the guide lets its reader do: send a request, or type a command. */
export type Sample = Exchange | Command;

export interface Exchange {
  /** The page and the line, for a message. */
  at: string;
  method: string;
  /** A path under `/rest`, or a whole address; names are not filled in yet. */
  target: string;
  headers: readonly Header[];
  body?: string;
  answer: { status: number; headers: readonly Header[]; body?: string };
}

export interface Command {
  at: string;
  /** For a shell. */
  command: string;
  /** What it prints, in part. */
  prints?: string;
}

export type Header = readonly [name: string, value: string];

const fenced = /^```(http|sh|text)\n([\s\S]*?)^```$/gm;

/** The samples of a page, in order. Each `http` block with a request is followed by one with its answer. */
export function samplesOf(page: string): Sample[] {
  const text = readFileSync(page, 'utf8');
  const blocks = [...text.matchAll(fenced)].map(({ 1: language, 2: code = '', index }) => ({
    language,
    code,
    at: `${page}:${text.slice(0, index).split('\n').length}`,
  }));
  return blocks.flatMap(({ language, code, at }, index): Sample[] => {
    const next = blocks[index + 1];
    if (language === 'sh') {
      const prints = next?.language === 'text' ? next.code : undefined;
      return [{ at, command: code, ...(prints === undefined ? {} : { prints }) }];
    }
    if (language === 'text' || code.startsWith('HTTP/')) return [];
    if (!next?.code.startsWith('HTTP/')) throw new Error(`${at}: the request has no answer`);
    return [{ at, ...readRequest(code), answer: readAnswer(next.code) }];
  });
}

function readRequest(code: string): Omit<Exchange, 'at' | 'answer'> {
  const { first, headers, body } = readMessage(code.replaceAll(/\n\s+(?=[?&])/g, ''));
  const [method = '', target = ''] = first.split(/ (.*)/);
  return { method, target, headers, ...(body === undefined ? {} : { body }) };
}

function readAnswer(code: string): Exchange['answer'] {
  const { first, headers, body } = readMessage(code);
  return { status: Number(first.split(' ')[1]), headers, ...(body === undefined ? {} : { body }) };
}

/** As HTTP has it: a first line, headers, an empty line, the body. */
function readMessage(code: string): { first: string; headers: Header[]; body?: string } {
  const [head = '', body] = code.trimEnd().split(/\n\n([\s\S]*)/);
  const [first = '', ...lines] = head.split('\n');
  const headers = lines.map((line): Header => {
    const [name = '', value = ''] = line.split(/: (.*)/);
    return [name, value];
  });
  return { first, headers, ...(body === undefined ? {} : { body }) };
}
