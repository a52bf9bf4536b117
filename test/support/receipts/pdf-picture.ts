import { createCanvas } from '@napi-rs/canvas';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { PNG } from 'pngjs';

/** The first page of a PDF as it looks on paper. */
export async function pictureOfPdf(content: Buffer): Promise<PNG> {
  const task = getDocument({ data: new Uint8Array(content), verbosity: 0 });
  try {
    const page = await (await task.promise).getPage(1);
    const viewport = page.getViewport({ scale: 1 });
    const canvas = createCanvas(Math.round(viewport.width), Math.round(viewport.height));
    await page.render({ canvas: canvas as never, canvasContext: canvas.getContext('2d') as never, viewport }).promise;
    return PNG.sync.read(canvas.toBuffer('image/png'));
  } finally {
    await task.destroy();
  }
}
