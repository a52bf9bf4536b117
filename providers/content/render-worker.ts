import { PosError, type Refusal } from '../../domain/errors.ts';
import type { RenderedText } from '../../domain/content.ts';
import { inThread } from '../in-thread.ts';
import { renderText, type Parts } from './render-text.ts';

export interface RenderJob extends Parts {
  html: string;
  css: string;
}

export type RenderAnswer = { text: RenderedText } | { refusal: Refusal } | { fault: string };

// The CSS parser makes an error with a stack for everything it does not understand.
Error.stackTraceLimit = 0;
// It also tells of a value that is too much for it, on standard error and without a word of where.
const sayNothing = () => undefined;
console.warn = sayNothing;

export default inThread((job: RenderJob): RenderAnswer => {
  try {
    return { text: renderText(job, job) };
  } catch (error) {
    if (error instanceof PosError) return { refusal: error.refusal };
    return { fault: error instanceof Error ? error.message : String(error) };
  }
});
