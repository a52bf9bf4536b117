import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** The text of a PDF in its own order, and whether it is tagged. */
export async function readPdf(content: Buffer): Promise<{ text: string; pages: number; isTagged: boolean }> {
  const task = getDocument({ data: new Uint8Array(content), useSystemFonts: false, verbosity: 0 });
  const pdf = await task.promise;
  let text = '';
  for (let at = 1; at <= pdf.numPages; at++) {
    const { items } = await (await pdf.getPage(at)).getTextContent();
    text += items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  }
  const { MarkInfo: mark } = { MarkInfo: await pdf.getMarkInfo() };
  const pages = pdf.numPages;
  await task.destroy();
  return { text, pages, isTagged: mark?.Marked === true };
}
