import { toSnakeCase } from '../../wire/spelling.ts';
import { mapParts, propertiesOf, type Json } from './json.ts';
import { generalWords } from './words/general-words.ts';
import { setUpWords } from './words/set-up-words.ts';
import { setUpMoreWords } from './words/set-up-more-words.ts';
import { eventWords } from './words/event-words.ts';
import { counterWords } from './words/counter-words.ts';
import { counterMoreWords } from './words/counter-more-words.ts';
import { cartWords } from './words/cart-words.ts';
import { catalogWords } from './words/catalog-words.ts';
import { contentWords } from './words/content-words.ts';
import { orderWords } from './words/order-words.ts';
import { platformWords } from './words/platform-words.ts';
import { tradeWords } from './words/trade-words.ts';

/** A word has one meaning in every shape. When two files have it, the first file counts. */
const words: Readonly<Record<string, string>> = {
  ...tradeWords,
  ...eventWords,
  ...contentWords,
  ...catalogWords,
  ...cartWords,
  ...orderWords,
  ...platformWords,
  ...counterMoreWords,
  ...counterWords,
  ...setUpMoreWords,
  ...setUpWords,
  ...generalWords,
};

/**
 * Adds a description to each key that has none: by `Shape.key`, else by the key alone. A key with `base_` has the text
 * of the key without it, with "in the base currency".
 */
export function withFieldWords(shape: string, schema: Json): Json {
  const made = mapParts(schema, (inner) => withFieldWords(shape, inner));
  if (!('properties' in made)) return made;
  const keys = propertiesOf(made);
  const properties = Object.entries(keys).map(([key, inner]) => {
    const description = inner['description'] ?? wordFor(shape, toSnakeCase(key));
    if (typeof description !== 'string') return [key, inner] as const;
    const currency = inner['type'] === 'number' && `base_${key}` in keys ? ownCurrency(shape, description) : '';
    return [key, { ...inner, description: description + currency }] as const;
  });
  return { ...made, properties: Object.fromEntries(properties) };
}

/** For an amount beside the same in the base currency. */
function ownCurrency(shape: string, description: string): string {
  if (description.includes('currency')) return '';
  return shape.startsWith('Cart') ? " In the cart's currency." : " In the order's currency.";
}

function wordFor(shape: string, key: string): string | undefined {
  const own = words[`${shape}.${key}`] ?? words[key];
  if (own !== undefined || !key.startsWith('base_')) return own;
  const inOrder = words[key.slice('base_'.length)];
  return inOrder === undefined ? undefined : `${inOrder} In the base currency.`;
}
