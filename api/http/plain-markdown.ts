/** Renders the few elements of Markdown that descriptions use. */

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Code is between backticks; everything else is text. */
export const markdownLine = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
