import { pageFields } from '../../domain/content/content-kind.ts';
import type { ContentAnswer } from './content-answer.ts';
import type { ContentType } from './content-type.ts';

const names = {
  page: 'opening-hours',
  block: 'customer_display',
  product_attribute: 'description',
  category_attribute: 'description',
  template: 'Two columns',
  snippet: 'Free delivery',
} as const;

const owners = { product_attribute: { product_id: 12 }, category_attribute: { category_id: 3 } } as const;

const own = ({ kind, identifierKey }: ContentType) => ({
  [identifierKey]: names[kind],
  ...(kind === 'product_attribute' || kind === 'category_attribute' ? owners[kind] : {}),
});

/** A body as an editor sends it. */
export const exampleBody = (type: ContentType) => ({
  [type.key]: {
    ...own(type),
    title: 'Good morning',
    content: '<p>Fresh coffee at the counter.</p>',
    active: true,
    extension_attributes: { css: 'p { color: teal }', liveview: true },
  },
});

/** What is answered for it, published or not. */
export const exampleAnswer = (type: ContentType, published?: number): ContentAnswer => ({
  id: 7,
  ...own(type),
  title: 'Good morning',
  ...(type.kind === 'page' ? { [pageFields[5]]: '0' } : {}),
  content: '<p>Fresh coffee at the counter.</p>',
  creation_time: '2026-11-23 09:30:00',
  update_time: '2026-11-23 09:30:00',
  active: true,
  extension_attributes: {
    css: 'p { color: teal }',
    store_id: 1,
    liveview: true,
    revision: published === undefined ? 1 : 2,
    version: 1,
    ...(published === undefined ? {} : { published_version: published }),
    changed_by: 'ada',
  },
});
