/** What an editor writes (spec 4.12). Pages and blocks are the platform's, the others the vendor's. */
export const contentKinds = [
  'page',
  'block',
  'product_attribute',
  'category_attribute',
  'template',
  'snippet',
] as const;
export type ContentKind = (typeof contentKinds)[number];

/** The fields of a page for search engines and layout, by the platform's keys (platform facts 11). */
export const pageFields = [
  'page_layout',
  'meta_title',
  'meta_keywords',
  'meta_description',
  'content_heading',
  'sort_order',
  'layout_update_xml',
  'custom_theme',
  'custom_root_template',
  'custom_layout_update_xml',
  'custom_theme_from',
  'custom_theme_to',
] as const;

/** By the platform's keys; a field that is absent was never set. */
export type ContentFields = Partial<Record<(typeof pageFields)[number], string>>;

/** The text that an editor writes and that a version keeps. */
export interface ContentDraft {
  title: string;
  /** HTML as written, widgets and variables included. */
  content: string;
  css: string;
  fields: ContentFields;
}
