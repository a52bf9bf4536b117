import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { guideFile } from '../../../../api/http/guide/front-page.ts';
import { renderPage, sampleHtml } from '../../../../api/http/guide/guide-markdown.ts';

const page = { file: 'docs/registers/x.md', path: '/docs/guide/registers/x', title: 'X' };
const html = (text: string) => renderPage(page, text).html;
const copied = (text: string, language: string) =>
  /data-copy="([^"]*)"/.exec(sampleHtml(text, language))?.[1]?.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

test('a request is copied as a call for a shell, where variables still work', () => {
  expect(copied('POST /V1/pos/rma/$RETURN/settle\n\n{ "method": "cash" }\n', 'http')).toBe(
    [
      'curl -sS -g -X POST "$API/V1/pos/rma/$RETURN/settle" \\',
      '  -H "Authorization: Bearer $REGISTER_TOKEN" \\',
      '  -H "Content-Type: application/json" \\',
      String.raw`  -d "{ \"method\": \"cash\" }"`,
    ].join('\n'),
  );
  expect(copied('GET /V1/x\nAuthorization: Bearer $SETUP_TOKEN\n', 'http')).toBe(
    'curl -sS -g "$API/V1/x" \\\n  -H "Authorization: Bearer $SETUP_TOKEN"',
  );
});

test('an address of several lines is copied as one', () => {
  expect(copied('GET /V1/x?a=1\n  &b=2\n  &fields=id\nX-Request-Id: one\n', 'http')).toBe(
    [
      'curl -sS -g "$API/V1/x?a=1&b=2&fields=id" \\',
      '  -H "X-Request-Id: one" \\',
      '  -H "Authorization: Bearer $REGISTER_TOKEN"',
    ].join('\n'),
  );
});

test('every request of the guide is copied with one address, and with headers that are headers', () => {
  const samples = globSync('docs/registers/*.md').flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/^```http\n([A-Z]+ \/[\s\S]*?)^```$/gm),
  ]);
  expect(samples.length).toBeGreaterThan(100);
  for (const [, sample = ''] of samples) {
    const [call = '', ...more] = (copied(sample, 'http') ?? '').split(' \\\n  ');
    expect(call).toMatch(/^curl -sS -g (?:-X \w+ )?"\$\{?[A-Z]+[^\s"]*"$/);
    expect(more.filter((one) => !/^-(?:H "[\w-]+: [^"]+"$|d ")/.test(one))).toEqual([]);
  }
});

test('an answer is not copied, and of a dialogue only what was typed', () => {
  expect(copied('HTTP/1.1 200\n\n{ "id": 1 }\n', 'http')).toBeUndefined();
  expect(copied('$ npm ci\nadded 200 packages\n$ npm start\n', 'console')).toBe('npm ci\nnpm start');
  expect(copied('npm run demo   # a day\n', 'sh')).toBe('npm run demo   # a day');
});

test('a drawing is told arrow by arrow', () => {
  const drawn = sampleHtml('stateDiagram-v2\n  [*] --> open: placed\n  a -- "one <call>" --> b & c\n', 'mermaid');
  expect(drawn).toContain('<li><b>start → open</b>: placed</li><li><b>a → b, c</b>: one &lt;call&gt;</li>');
});

test('links lead to pages, and to files where there is no page', () => {
  expect(
    html('[a](return.md#to-the-card) [b](/docs/registers/hold.md) [c](../reference/shop.schema.json) [d](#here)'),
  ).toMatch(
    /"\/docs\/guide\/registers\/return#to-the-card".*"\/docs\/guide\/registers\/hold".*"\/docs\/reference\/shop.schema.json".*"#here"/,
  );
});

test('a text is a text: no markup of its own, no script in a link', () => {
  const shown = html(
    '<script>alert(1)</script> <b onclick="x">b</b>\n\n[a](javascript:alert(1))\n\n```sh\n</code><script>\n```\n',
  );
  expect(shown).not.toMatch(/<script|<b |href="javascript/);
});

test('two headings of one name have two places', () => {
  expect(renderPage(page, '# X\n\n## Same\n\n## Same\n').headings).toEqual([
    { id: 'same', text: 'Same' },
    { id: 'same-1', text: 'Same' },
  ]);
});

test('a page names the pages before and after it, and a decision stands in the menu', async () => {
  const at = async (path: string) => String((await guideFile(path))?.body);
  expect(await at('/docs/guide/registers/hold')).toMatch(
    /rel="prev" href="\/docs\/guide\/registers\/first-sale".*rel="next" href="\/docs\/guide\/registers\/return"/,
  );
  const decision = await at('/docs/guide/inside/decisions/catalog');
  expect(decision).toContain('<details open><summary>The code</summary>');
  expect(decision).toContain('<a href="/docs/guide/inside/decisions/catalog" aria-current="page">');
});
