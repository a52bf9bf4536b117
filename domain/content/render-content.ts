import type { ContentKind } from './content-kind.ts';

/** Content as its editor wrote it. */
export interface ContentToRender {
  kind: ContentKind;
  identifier: string;
  /** 0: all store views. */
  storeId: number;
  html: string;
  css: string;
}

/** Text that is safe to publish: sanitised, with widgets and variables filled in. */
export interface RenderedText {
  html: string;
  css: string;
}

export interface ViewText extends RenderedText {
  storeId: number;
}

/**
 * The text for the store view of the content. For content of all views: the text for every view not listed in
 * `inViews`.
 */
export interface RenderedContent extends RenderedText {
  /** Store views with another text, because they have blocks or settings of their own. */
  inViews: readonly ViewText[];
  /**
   * Identifiers of all blocks that the content names, at any depth and in any view, even of missing blocks. When one
   * of them is created or changed, the content is rendered again.
   */
  uses: readonly string[];
}

/**
 * Renders once, when content is published, within the transaction that publishes it. `From` is the connection it
 * reads with.
 */
export type RenderContent<From> = (from: From, given: ContentToRender) => Promise<RenderedContent>;
