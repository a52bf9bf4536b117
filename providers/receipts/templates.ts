import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import Handlebars from 'handlebars';

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
  return (data: object) => compiled(data);
};

/** For the page's policy: its one style sheet, by its digest. */
export const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
