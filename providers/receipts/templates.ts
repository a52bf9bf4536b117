import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import Handlebars from 'handlebars';
import { templateFault } from './own-template.ts';

const folder = new URL('templates/', import.meta.url);
/** Line breaks and indents are for who writes a template; one line break is left of them. */
const readTemplate = (name: string): string => {
  const lines = readFileSync(new URL(name, folder), 'utf8')
    .split('\n')
    .map((line) => line.trim());
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
};

/**
 * Strict options for every template: a missing name is an error, every value is escaped, and only the three named
 * helpers can be called.
 */
const strictly = {
  strict: true,
  noEscape: false,
  knownHelpers: { if: true, each: true, unless: true },
  knownHelpersOnly: true,
} as const;

const handlebars = Handlebars.create();
/** Minified. None of our rules needs a blank beside a sign. */
const style = readTemplate('style.css')
  .split('/*')
  .map((part, at) => (at === 0 ? part : part.slice(part.indexOf('*/') + 2)))
  .join('')
  .replaceAll(/\s+/g, ' ')
  .replaceAll(/ ?([{};,]) ?/g, '$1')
  .trim();

/**
 * A template with our parts written into it: calling a part takes longer than writing it. What is given as `called` is
 * still called by its name.
 */
const written = (name: string, called?: string): string =>
  name === 'style'
    ? style
    : readTemplate(`${name}.hbs`).replaceAll(/\{\{> ([\w-]+)\}\}/g, (call, part: string) =>
        part === called ? call : written(part, called),
      );

for (const file of readdirSync(folder).filter((one) => one.endsWith('.hbs'))) {
  const name = file.replace('.hbs', '');
  handlebars.registerPartial(name, handlebars.compile(written(name), strictly));
}

/** Our own template, with the shop's own receipt in it where that is given. */
export const templateOf = (name: 'page' | 'notice' | 'mail') => {
  const ours = handlebars.compile(written(name), strictly);
  const template = handlebars.compile(written(name, 'receipt'), strictly);
  return (data: object, own?: Handlebars.TemplateDelegate) =>
    own ? template(data, { partials: { receipt: own } }) : ours(data);
};

const owned = new Map<string, Handlebars.TemplateDelegate | undefined>();
/** The most templates kept; beyond it they are compiled each time. */
const mostOwned = 50;

/** A shop's own template; undefined where it has none, or where it leaves the dialect. */
export function ownTemplate(text: string | null): Handlebars.TemplateDelegate | undefined {
  if (text === null) return undefined;
  if (owned.has(text)) return owned.get(text);
  if (owned.size >= mostOwned) owned.clear();
  const made = templateFault(text) === undefined ? handlebars.compile(text, strictly) : undefined;
  owned.set(text, made);
  return made;
}

/** The missing name in a template error; undefined: another error. */
export const nameMissingIn = (error: unknown): string | undefined =>
  error instanceof Error ? /^"([^"]*)" not defined/.exec(error.message)?.[1] : undefined;

/** The digest of the style sheet, for the page's policy. */
export const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
