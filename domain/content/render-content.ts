import type { ContentKind } from './content-kind.ts';

/** What is to be shown, as its editor wrote it. */
export interface ContentToRender {
  kind: ContentKind;
  identifier: string;
  /** 0: for every store view. */
  storeId: number;
  html: string;
  css: string;
}

/** What may be sent to anybody: sanitised, with widgets and variables filled in. */
export interface RenderedText {
  html: string;
  css: string;
}

export interface ViewText extends RenderedText {
  storeId: number;
}

/** As the view shows it that the content is for; of content for all views, as a view shows it that is not among `inViews`. */
export interface RenderedContent extends RenderedText {
  /** Store views that show something else, because they have blocks or settings of their own. */
  inViews: readonly ViewText[];
  /**
   * Identifiers of the blocks it names, however deep and in whatever view, also of those that are not there: when one of them
   * changes or comes to be, this is rendered anew.
   */
  uses: readonly string[];
}

/** Renders once, when content is published, within the transaction that publishes it. `From` is what it reads with. */
export type RenderContent<From> = (from: From, given: ContentToRender) => Promise<RenderedContent>;
