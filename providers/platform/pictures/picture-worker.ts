import { parentPort } from 'node:worker_threads';
import { isForgiven, notPicture } from './not-picture.ts';
import { drawPng } from './draw-png.ts';

/** The answer to the previous file: the thread has one at a time. */
export interface DrawnPng {
  /** Absent: the file cannot be read completely. */
  content?: Uint8Array;
}

parentPort?.on('message', (file: Uint8Array) => {
  parentPort?.postMessage(drawn(Buffer.from(file.buffer, file.byteOffset, file.byteLength)));
});

function drawn(file: Buffer): DrawnPng {
  try {
    return { content: drawPng(file, notPicture, { isLenient: isForgiven(file) }) };
  } catch {
    return {};
  }
}
