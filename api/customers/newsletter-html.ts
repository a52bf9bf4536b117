/** One sentence, and optionally a button to answer it. */
export interface Page {
  title: string;
  button?: string;
}

/** A page without scripts or pictures, which loads nothing. */
export const htmlPage = ({ title, button }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 15vh auto 0; padding: 0 1rem; text-align: center }
button { font: inherit; padding: .6em 1.4em }
</style>
</head>
<body>
<h1>${escaped(title)}</h1>
${button === undefined ? '' : `<form method="post"><button>${escaped(button)}</button></form>`}
</body>
</html>
`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
