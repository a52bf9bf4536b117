import { Threads } from '../../threads.ts';
import { notPicture } from './not-picture.ts';
import type { DrawnPng } from './picture-worker.ts';

/** Draws PNGs in a thread of their own, one after the other: the largest takes half a second. */
export class PictureThread {
  readonly #thread = new Threads<Buffer, DrawnPng, 'everybody'>({
    file: new URL('./picture-worker.ts', import.meta.url),
    serves: [['everybody']],
    mostWaiting: { everybody: 16 },
    tooMany: 'Too many pictures at once. Please try again later.',
    ended: 'the picture thread ended',
  });

  /**
   * The same picture, with only its pixels (`drawPng`). The caller has checked its size.
   *
   * Refused with: 400 a damaged file · 503 too many pictures are waiting.
   */
  async draw(file: Buffer): Promise<Buffer> {
    const { content } = await this.#thread.ask(file, 'everybody');
    if (!content) throw notPicture();
    return Buffer.from(content);
  }

  /** Refuses every caller that still waits. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
