/** One sentence, and optionally a form to answer it. */
export interface Page {
  title: string;
  /** A second sentence, or why an answer was refused. */
  note?: string;
  /** A field for a new password. */
  field?: { name: string; label: string };
  button?: string;
}

/** A page without scripts or pictures, which loads nothing. */
export const htmlPage = (page: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(page.title)}</title>
<style>
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto 0; padding: 0 1rem; text-align: center }
button, input { font: inherit; padding: .6em 1.4em }
</style>
</head>
<body>
<h1>${escaped(page.title)}</h1>
${page.note === undefined ? '' : `<p role="status">${escaped(page.note)}</p>`}
${formOf(page)}
</body>
</html>
`;

const formOf = ({ field, button }: Page) =>
  button === undefined
    ? ''
    : `<form method="post">${field === undefined ? '' : inputOf(field)}<button>${escaped(button)}</button></form>`;

const inputOf = ({ name, label }: { name: string; label: string }) =>
  `<p><label>${escaped(label)}<br><input type="password" name="${escaped(name)}" autocomplete="new-password" required></label></p>`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
