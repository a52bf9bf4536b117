import type { Source } from '../sources.ts';

/** A regular expression literal, and where it stands. */
export interface FoundPattern {
  at: string;
  source: string;
  flags: string;
}

/** Where a value stands, a slash divides; everywhere else it opens a pattern. */
const endsValue = /(?:[\w$)\]}]|\+\+|--)$/;
/** Words a value follows. */
const wordBeforeValue =
  /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield|instanceof)$/;

/**
 * Every regular expression literal of a file; a small scanner, since comments, texts and templates hold slashes too.
 */
export function patternsOf({ path, text }: Source): FoundPattern[] {
  const found: FoundPattern[] = [];
  /** Of each template we are inside of: how many braces are open in its `${}`. */
  const templates: number[] = [];
  let before = '';
  let at = 0;
  const take = (end: number, asValue: string) => {
    before = (before + asValue).slice(-12);
    at = end;
  };
  const takeTemplate = () => {
    const end = endOfTemplate(text, at + 1, templates);
    take(end, text.charAt(end - 1) === '{' ? '{' : 'x');
  };
  while (at < text.length) {
    const sign = text.charAt(at);
    const two = text.slice(at, at + 2);
    if (two === '//') at = endOr(text, text.indexOf('\n', at));
    else if (two === '/*') at = endOr(text, text.indexOf('*/', at) + 2);
    else if (sign === "'" || sign === '"') take(endOfText(text, at, sign), 'x');
    else if (sign === '`') takeTemplate();
    else if (sign === '}' && templates.at(-1) === 0) {
      templates.pop();
      takeTemplate();
    } else if (sign === '/' && (!endsValue.test(before) || wordBeforeValue.test(before))) {
      const end = endOfPattern(text, at);
      const flags = /^[a-z]*/.exec(text.slice(end))?.[0] ?? '';
      found.push({ at: `${path}:${text.slice(0, at).split('\n').length}`, source: text.slice(at + 1, end - 1), flags });
      take(end + flags.length, 'x');
    } else {
      const inTemplate = templates.length - 1;
      if (sign === '{' && inTemplate >= 0) templates[inTemplate] = (templates[inTemplate] ?? 0) + 1;
      if (sign === '}' && inTemplate >= 0) templates[inTemplate] = (templates[inTemplate] ?? 0) - 1;
      take(at + 1, /\s/.test(sign) ? '' : before === '' || /\w/.test(sign) ? spaced(text, at) : sign);
    }
  }
  return found;
}

/** Two words stay two words, however far apart. */
const spaced = (text: string, at: number) => (/\s/.test(text.charAt(at - 1)) ? ` ${text.charAt(at)}` : text.charAt(at));

const endOr = (text: string, end: number) => (end < 2 ? text.length : end);

function endOfText(text: string, from: number, quote: string): number {
  let at = from + 1;
  while (at < text.length && text.charAt(at) !== quote) at += text.charAt(at) === '\\' ? 2 : 1;
  return at + 1;
}

/** At its end, or behind the `${` of its next value, which is noted. */
function endOfTemplate(text: string, from: number, templates: number[]): number {
  let at = from;
  while (at < text.length && text.charAt(at) !== '`') {
    if (text.startsWith('${', at)) {
      templates.push(0);
      return at + 2;
    }
    at += text.charAt(at) === '\\' ? 2 : 1;
  }
  return at + 1;
}

function endOfPattern(text: string, from: number): number {
  let isInSet = false;
  let at = from + 1;
  while (at < text.length && (isInSet || text.charAt(at) !== '/')) {
    const sign = text.charAt(at);
    if (sign === '[') isInSet = true;
    if (sign === ']') isInSet = false;
    at += sign === '\\' ? 2 : 1;
  }
  return at + 1;
}
