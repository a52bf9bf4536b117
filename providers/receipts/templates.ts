import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import Handlebars from 'handlebars';
import { templateFault } from './own-template.ts';

const folder = new URL('templates/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

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
const style = read('style.css')
  .replaceAll(/\s+/g, ' ')
  .replaceAll(/ ?([{};,]) ?/g, '$1')
  .trim();

handlebars.registerPartial('style', handlebars.compile(style, strictly));
for (const name of readdirSync(folder).filter((file) => file.endsWith('.hbs')))
  handlebars.registerPartial(name.replace('.hbs', ''), handlebars.compile(read(name), strictly));

/** Our own template, compiled when the process starts. */
export const templateOf = (name: 'page' | 'notice' | 'mail') => {
  const compiled = handlebars.compile(read(`${name}.hbs`), strictly);
  return (data: object, own?: Handlebars.TemplateDelegate) => compiled(data, own ? { partials: { receipt: own } } : {});
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
