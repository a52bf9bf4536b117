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

/** What of a page is text for search machines and layout: keys as the platform has them (platform facts 11). */
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

/** By the platform's keys; what is not there was never given. */
export type ContentFields = Partial<Record<(typeof pageFields)[number], string>>;

/** What an editor writes and a version keeps. */
export interface ContentDraft {
  title: string;
  /** HTML as written, widgets and variables included. */
  content: string;
  css: string;
  fields: ContentFields;
}
