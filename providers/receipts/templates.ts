import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import Handlebars from 'handlebars';
import { templateFault } from './own-template.ts';

const folder = new URL('templates/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

/**
 * How every template is read: what a receipt does not have is a fault, every value is escaped, and no helper but the three
 * named can be called.
 */
const strictly = {
  strict: true,
  noEscape: false,
  knownHelpers: { if: true, each: true, unless: true },
  knownHelpersOnly: true,
} as const;

const handlebars = Handlebars.create();
/** As it goes over the line. No rule of ours has a blank that matters beside a sign. */
const style = read('style.css')
  .replaceAll(/\s+/g, ' ')
  .replaceAll(/ ?([{};,]) ?/g, '$1')
  .trim();

handlebars.registerPartial('style', handlebars.compile(style, strictly));
for (const name of readdirSync(folder).filter((file) => file.endsWith('.hbs')))
  handlebars.registerPartial(name.replace('.hbs', ''), handlebars.compile(read(name), strictly));

/** A template of ours, compiled when the process starts. */
export const templateOf = (name: 'page' | 'notice' | 'mail') => {
  const compiled = handlebars.compile(read(`${name}.hbs`), strictly);
  return (data: object, own?: Handlebars.TemplateDelegate) => compiled(data, own ? { partials: { receipt: own } } : {});
};

const owned = new Map<string, Handlebars.TemplateDelegate | undefined>();
/** A shop has one; who tries out many makes them anew. */
const mostOwned = 50;

/** A shop's own template in place of ours; undefined where it has none, or one that is not of the dialect. */
export function ownTemplate(text: string | null): Handlebars.TemplateDelegate | undefined {
  if (text === null) return undefined;
  if (owned.has(text)) return owned.get(text);
  if (owned.size >= mostOwned) owned.clear();
  const made = templateFault(text) === undefined ? handlebars.compile(text, strictly) : undefined;
  owned.set(text, made);
  return made;
}

/** The name that a template asks for and a receipt does not have; undefined: another fault. */
export const nameMissingIn = (error: unknown): string | undefined =>
  error instanceof Error ? /^"([^"]*)" not defined/.exec(error.message)?.[1] : undefined;

/** For the page's policy: its one style sheet, by its digest. */
export const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
