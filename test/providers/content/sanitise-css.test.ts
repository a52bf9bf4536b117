import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { maxCssLength, sanitiseCss, sanitiseStyleAttribute } from '../../../providers/content/sanitise-css.ts';

const run = promisify(execFile);
const sanitised = (css: string) => sanitiseCss(css, 'cms-x');

describe('a rule holds only within its own box', () => {
  test.each([
    ['p{color:red}', '.cms-x p{color:red}'],
    ['p,.a>b{color:red}', '.cms-x p,.cms-x .a>b{color:red}'],
    ['body{color:red}', '.cms-x{color:red}'],
    [':root>p,html p{color:red}', '.cms-x>p,.cms-x p{color:red}'],
    ['*|*{color:red}', '.cms-x *|*{color:red}'],
    ['#top{color:red}', '.cms-x #cms-top{color:red}'],
    ['@media (width < 600px){p{color:red}}', '@media (width<600px){.cms-x p{color:red}}'],
    [
      '@supports (display:grid){@media print{body{color:red}}}',
      '@supports (display:grid){@media print{.cms-x{color:red}}}',
    ],
    [
      '@keyframes in{from{opacity:0}}p{animation:in 1s}',
      '@keyframes cms-x-in{from{opacity:0}}.cms-x p{animation:cms-x-in 1s}',
    ],
  ])('%s', (css, expected) => {
    expect(sanitised(css)).toBe(expected);
  });

  test.each([
    ['body + p{color:red}', '.cms-x body+p{color:red}'],
    ['html ~ div{color:red}', '.cms-x html~div{color:red}'],
    ['+ p{color:red}', ''],
    ['> p{color:red}', ''],
    ['~ p{color:red}', ''],
    ['&{color:red}', ''],
    [':not(&){color:red}', ''],
    ['p{:not(&){color:red}}', ''],
    ['p{color:red;+ div{color:red}}', '.cms-x p{color:red}'],
  ])('%s names no one outside the shop’s template', (css, expected) => {
    expect(sanitised(css)).toBe(expected);
  });
});

describe('nothing in it fetches, runs, covers the page or ends its element', () => {
  test.each([
    '@import "https://evil.example/x.css";',
    '@import url(https://evil.example/x.css);',
    '@charset "utf-7";',
    '@namespace x url(https://evil.example);',
    '@font-face{font-family:x;src:url(https://evil.example/x.woff)}',
    '@layer x{p{color:red}}',
    '@property --x{syntax:"*";inherits:false}',
    '@page{margin:0}',
    'p{background:url(javascript:alert(1))}',
    'p{background:url("java\\73 cript:alert(1)")}',
    'p{background:url(//evil.example/x)}',
    'p{background:url(data:image/svg+xml;base64,PHN2Zz4=)}',
    'p{background:image-set("https://evil.example/x" 1x)}',
    'p{background:src("https://evil.example/x")}',
    'p{background:element(#x)}',
    'p{content:attr(title)}',
    'p{--x:url(javascript:alert(1))}',
    'p{--x:expression(alert(1))}',
    'p{width:expression(alert(1))}',
    'p{w\\69 dth:expression(alert(1))}',
    'p{behavior:url(x.htc)}',
    'p{-moz-binding:url(x.xml#y)}',
    'p{position:fixed}',
    'p{position:sticky}',
    'p{position:-webkit-sticky}',
    'p{POSITION:FiXeD !important}',
    'p{pos\\69tion:fixed}',
    'p{position:fi\\78 ed}',
    'p{position:var(--p)}',
    'p{nonsense:1px}',
    'p{color:}',
    '<script>alert(1)</script>',
    '@media url(https://evil.example) {p{color:red}}',
  ])('%s', (css) => {
    expect(sanitised(css)).toBe('');
  });

  test('a text cannot end its style element', () => {
    expect(sanitised('p{content:"</style><script>alert(1)</script>"}')).not.toContain('</');
    expect(sanitised('p{background:url("</style>")}')).not.toContain('</');
    expect(sanitised('.\\</style{color:red}')).not.toContain('</');
  });

  test('what cannot be read is left out, and the rest stays', () => {
    expect(sanitised('p{color:red;oops;margin:0} }{ q{color:blue} <!-- b{color:green} -->')).toContain('color:red');
    expect(sanitised('{{x}} p{color:red')).toBe('.cms-x p{color:red}');
  });

  test('pictures of the web and of the shop stay', () => {
    expect(sanitised('p{background:url(https://shop.example/x.png)}')).toBe(
      '.cms-x p{background:url(https://shop.example/x.png)}',
    );
    expect(sanitised('p{background:url(/media/x.png) no-repeat}')).toContain('/media/x.png');
  });
});

test('sanitising twice gives the same as once', () => {
  const css = 'p{color:red}@media print{body>p{margin:0 auto}}@keyframes in{from{opacity:0}}b{animation:in 1s}';
  const once = sanitised(css);
  expect(sanitiseCss(once, 'y').replaceAll('.y ', '').replaceAll('y-', '')).toBe(once);
});

test('a style attribute keeps what CSS knows', () => {
  expect(sanitiseStyleAttribute('color:red; behavior:url(x); POSITION: fixed; margin:0')).toBe('color:red;margin:0');
});

test('a sheet of more than 20 000 rules and declarations is turned away, whatever they are', () => {
  const refusal = 'The styles must not have more than %1 rules and declarations.';
  for (const part of ['a:b;', '!;', 'p{}', '}']) expect(() => sanitised(part.repeat(20_001))).toThrow(refusal);
  expect(sanitised(`p{${'a:b;'.repeat(9_000)}top:0}`)).toBe('.cms-x p{top:0}');
});

test('what is too much for the parser is left out, and it says nothing on standard error', async () => {
  const page = new URL('../../../providers/content/render-worker.ts', import.meta.url);
  const script = `
    const { Worker } = require('node:worker_threads');
    const worker = new Worker(new URL(process.argv[1]));
    worker.once('message', (answer) => { console.log(JSON.stringify(answer)); worker.terminate(); });
    worker.postMessage({ html: 'x', css: 'p{top:0;font:' + 'a '.repeat(100000) + '}', blocks: new Map(), settings: new Map() });`;
  const { stdout, stderr } = await run(process.execPath, ['-e', script, String(page)]);
  expect(JSON.parse(stdout).text.css).toMatch(/^\.cms-\w{12} p\{top:0\}$/);
  expect(stderr).toBe('');
});

test('a sheet too long or nested too deep is turned away', () => {
  expect(() => sanitised('p{}'.repeat(maxCssLength))).toThrow('The styles must not be longer than %1 characters.');
  for (const deep of ['p{width:'.concat('('.repeat(100_000)), '@media print{'.repeat(10_000), '['.repeat(200_000)]) {
    expect(() => sanitised(deep)).toThrow('The styles must not be nested more than %1 deep.');
  }
});
