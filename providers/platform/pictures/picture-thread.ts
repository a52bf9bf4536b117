import { Worker } from 'node:worker_threads';
import { unavailable } from '../../../domain/errors.ts';
import { notPicture } from './not-picture.ts';
import type { DrawnPng } from './picture-worker.ts';

/** The largest takes half a second: a caller behind a longer queue would have given up. */
const mostWaiting = 16;

interface Waiting {
  file: Buffer;
  resolve: (content: Buffer) => void;
  reject: (error: Error) => void;
}

/**
 * Draws PNGs in a thread of their own, one after the other: it takes half a second, in which the process could answer
 * nobody. The thread starts with the first one; idle it does not keep the process alive.
 */
export class PictureThread {
  #worker: Worker | undefined;
  /** The first one is being drawn. */
  readonly #line: Waiting[] = [];

  /**
   * The same picture, with only its pixels (`drawPng`). The caller has checked its size.
   *
   * Refused with: 400 a damaged file · 503 too many pictures are waiting.
   */
  draw(file: Buffer): Promise<Buffer> {
    if (this.#line.length >= mostWaiting)
      return Promise.reject(unavailable('Too many pictures at once. Please try again later.'));
    return new Promise((resolve, reject) => {
      this.#line.push({ file, resolve, reject });
      if (this.#line.length === 1) this.#begin();
    });
  }

  /** Refuses every caller that still waits. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    for (const { reject } of this.#line.splice(0)) reject(ended());
    await worker?.terminate();
  }

  #begin(): void {
    const [next] = this.#line;
    if (!next) {
      this.#worker?.unref();
      return;
    }
    this.#worker ??= this.#hire();
    this.#worker.ref();
    this.#worker.postMessage(next.file);
  }

  #hire(): Worker {
    const worker = new Worker(new URL('./picture-worker.ts', import.meta.url));
    worker.on('message', ({ content }: DrawnPng) =>
      this.#end((caller) => (content ? caller.resolve(Buffer.from(content)) : caller.reject(notPicture()))),
    );
    // When the thread dies, its picture fails; the next one gets a new thread.
    const dismiss = (error: Error) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#end(({ reject }) => reject(error));
    };
    worker.once('error', dismiss);
    worker.once('exit', () => dismiss(ended()));
    return worker;
  }

  #end(tell: (caller: Waiting) => void): void {
    const caller = this.#line.shift();
    if (caller) tell(caller);
    this.#begin();
  }
}

const ended = () => new Error('the picture thread ended');
