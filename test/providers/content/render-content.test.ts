import { beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { renderContent } from '../../../providers/content/render-content.ts';
import { aShop } from '../../support/builders/shop.ts';
import { draftContent, publishedContent } from '../../support/builders/published-content.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';

const orm = useDatabase();
let em: EntityManager;
beforeAll(async () => {
  em = fork();
  await aShop(em);
  const settings = [
    ['general/store_information/name', 'default', 0, 'Tea & <b>Cake</b>'],
    ['general/store_information/name', 'stores', 2, 'Thé'],
    ['web/secure/base_url', 'default', 0, 'https://shop.example'],
    ['vendor_pos_terminal/provider_a/base_url', 'default', 0, 'canary-of-a-processor'],
  ] as const;
  for (const [path, scope, scopeId, value] of settings) await configure(path, value, scope, scopeId);
});

const { fork, configure, change } = booksOf(() => orm);

const render = (html: string, given: { storeId?: number; css?: string; identifier?: string } = {}) =>
  renderContent(em, { kind: 'block', identifier: 'top', storeId: 0, css: '', ...given, html });
const htmlOf = async (html: string, given = {}) => (await render(html, given)).html;

describe('variables', () => {
  test('a public setting is shown as text, as it holds in the view', async () => {
    expect(await htmlOf('<p>{{config path="general/store_information/name"}}</p>')).toBe(
      '<p>Tea &amp; &lt;b&gt;Cake&lt;/b&gt;</p>',
    );
    expect(await htmlOf(`{{config path='general/store_information/name'}}`, { storeId: 2 })).toBe('Thé');
    expect(await htmlOf('<img alt="{{config path=&quot;general/store_information/name&quot;}}" src="x" />')).toBe(
      '<img alt="Tea &amp; &lt;b&gt;Cake&lt;/b&gt;" src="x" />',
    );
  });

  test.each([
    '{{config path="vendor_pos_terminal/provider_a/base_url"}}',
    '{{config path="general/store_information/hours"}}',
    '{{config path="constructor"}}',
    '{{config}}',
    '{{var order.total}}',
    '{{customVar code=x}}',
    '{{layout handle="x"}}',
    '{{constructor}}',
    '{{template config_path="x"}}',
    '{{widget type="Vendor\\Catalog\\Block\\Widget\\Link"}}',
    '{{widget type="\\Evil"}}',
    '{{widget}}',
    '{{block id="../x"}}',
    '{{block}}',
  ])('%s shows nothing', async (html) => {
    expect(await htmlOf(`a${html}b`)).toBe('ab');
  });

  test('an address leads into the shop and nowhere else', async () => {
    expect(await htmlOf('<a href="{{store url=&quot;about-us&quot;}}">x</a>')).toContain(
      'href="https://shop.example/about-us"',
    );
    expect(await htmlOf(`<a href="{{store url='/about?x=1'}}">x</a>`)).toContain(
      'href="https://shop.example/about?x=1"',
    );
    for (const path of ['javascript:alert(1)', 'https://evil.example', '../../admin', 'a/../../b', 'a\\b'])
      expect(await htmlOf(`<a href="{{store url='${path}'}}">x</a>`)).toContain('href="https://shop.example"');
    expect(await htmlOf(`<a href="{{store url='//evil.example'}}">x</a>`)).toContain(
      'https://shop.example/evil.example',
    );
  });

  test('a widget that links to a page is a link', async () => {
    const widget = `{{widget type="Shop\\Cms\\Block\\Widget\\Page\\Link" href="about" anchor_text="<b>About" title="Us"}}`;
    expect(await htmlOf(widget)).toBe(
      '<a href="https://shop.example/about" title="Us" rel="noopener noreferrer">&lt;b&gt;About</a>',
    );
  });
});

describe('blocks within', () => {
  test('a block is put into the text with its own blocks, and every one of them is recorded', async () => {
    await publishedContent(em, { identifier: 'hours', content: 'Mon–Fri' });
    await publishedContent(em, {
      identifier: 'footer',
      content: '<p>Open {{block id="hours"}}{{block id="later"}}</p>',
    });
    const widget = '{{widget type="Shop\\Cms\\Block\\Widget\\Block" block_id="footer"}}';

    expect(await render(`<h1>Hi</h1>${widget}`)).toEqual({
      html: '<h1>Hi</h1><p>Open Mon–Fri</p>',
      css: '',
      inViews: [],
      uses: ['footer', 'hours', 'later'],
    });
  });

  test('a draft, an inactive one and one without liveview show nothing, and are named', async () => {
    await draftContent(em, { identifier: 'b-draft', content: 'canary' });
    await publishedContent(em, { identifier: 'b-off', content: 'canary', liveview: false });
    await publishedContent(em, { identifier: 'b-inactive', content: 'canary', isActive: false });
    await publishedContent(em, { identifier: 'b-newer', content: 'shown', draft: 'canary' });
    const { html, uses } = await render(
      '{{block id=b-draft}}{{block id=b-off}}{{block id=b-inactive}}{{block id=b-newer}}',
    );

    expect(html).toBe('shown');
    expect(uses).toEqual(['b-draft', 'b-off', 'b-inactive', 'b-newer']);
  });

  test('a view’s own block comes before that of all views; switched off, neither is shown', async () => {
    await publishedContent(em, { identifier: 'b-view', content: 'all' });
    await publishedContent(em, { identifier: 'b-view', content: 'ours', storeId: 2 });
    expect(await htmlOf('{{block id=b-view}}', { storeId: 2 })).toBe('ours');
    expect(await htmlOf('{{block id=b-view}}', { storeId: 1 })).toBe('all');
    await publishedContent(em, { identifier: 'b-hidden', content: 'all' });
    await publishedContent(em, { identifier: 'b-hidden', content: 'ours', storeId: 2, liveview: false });
    expect(await htmlOf('{{block id=b-hidden}}', { storeId: 2 })).toBe('');
  });

  test('content of all views has in each the view’s own blocks, settings and address, and names what any of them asks for', async () => {
    await publishedContent(em, { identifier: 'v-all', content: '<i>all</i>' });
    await publishedContent(em, { identifier: 'v-all', content: '<i>ours</i>{{block id="v-deep"}}', storeId: 2 });
    await publishedContent(em, { identifier: 'v-all', content: 'off', storeId: 3, liveview: false });
    await publishedContent(em, { identifier: 'v-deep', content: '!', storeId: 2 });
    const shown = await render('{{block id="v-all"}}');
    expect(shown).toMatchObject({ html: '<i>all</i>', uses: ['v-all', 'v-deep'] });
    expect(shown.inViews.map(({ storeId, html }) => [storeId, html])).toContainEqual([2, '<i>ours</i>!']);
    const named = await render('{{config path="general/store_information/name"}}');
    expect(named.inViews).toEqual([{ storeId: 2, html: 'Thé', css: '' }]);
    expect((await render('<p>{{store url="x"}}</p>', { storeId: 2 })).inViews).toEqual([]);
    expect((await render('nothing to fill in')).inViews).toEqual([]);
  });

  test('a view whose own blocks make it too long is refused, though the others are not', async () => {
    await publishedContent(em, { identifier: 'v-long', content: 'short' });
    await publishedContent(em, { identifier: 'v-long', content: 'x'.repeat(600_000), storeId: 2 });
    await expect(render('{{block id="v-long"}}{{block id="v-long"}}')).rejects.toThrow('Content must not be longer');
  });

  test('a block that contains itself is turned away; a circle further in ends where it began', async () => {
    await expect(render('{{block id=top}}')).rejects.toThrow('The block "%1" contains itself.');
    const c2 = await publishedContent(em, { identifier: 'c2', content: '2' });
    await publishedContent(em, { identifier: 'c3', content: '3{{block id=c2}}' });
    await expect(render('{{block id=c3}}', { identifier: 'c2' })).rejects.toThrow('contains itself');
    // Two who publish at once do not see each other's circle.
    await change('content_version', { content_id: c2 }, { content: '2{{block id=c3}}' });
    expect(await htmlOf('{{block id=c2}}')).toBe('23');
  });

  test('deep or many blocks are turned away, and quickly', async () => {
    for (let n = 1; n <= 7; n++)
      await publishedContent(em, { identifier: `d${n}`, content: `${n}{{block id=d${n - 1}}}` }).catch(() => undefined);
    await expect(render('{{block id=d5}}')).rejects.toThrow('Blocks must not be nested more than %1 deep.');

    const twice = (n: number) => `{{block id=e${n}}}`.repeat(30);
    await publishedContent(em, { identifier: 'e0', content: '' });
    for (let n = 1; n <= 2; n++)
      await publishedContent(em, { identifier: `e${n}`, content: twice(n - 1) }).catch(() => 0);
    const began = performance.now();
    await expect(render(twice(2))).rejects.toThrow('Content must not be longer than %1 characters with its blocks.');
    expect(performance.now() - began).toBeLessThan(2_000);
    const many = Array.from({ length: 101 }, (_, n) => `{{block id=m${n}}}`).join('');
    await expect(render(many)).rejects.toThrow('Content must not contain more than %1 blocks.');
  });

  test('an element that a block leaves open ends with it, and two parts never make a tag', async () => {
    await publishedContent(em, { identifier: 'open', content: '<b>bold' });
    await publishedContent(em, { identifier: 'half', content: '<img src=x ' });
    expect(await htmlOf('{{block id=open}} plain')).toBe('<b>bold</b> plain');
    expect(await htmlOf('{{block id=half}}onerror=alert(1)>')).toBe('onerror=alert(1)&gt;');
    expect(await htmlOf('<a title="{{block id=open}}" href=x>y</a>')).not.toMatch(/<b[^>]*\son/);
    expect(await htmlOf('{{blo{{config path="x"}}ck id=open}}')).not.toContain('bold');
  });
});

test('styles hold in the box of the text they belong to', async () => {
  await publishedContent(em, { identifier: 'styled', content: '<p>in</p>', css: 'p{color:red}' });
  const { html, css } = await render('<p>out</p>{{block id=styled}}{{block id=styled}}', { css: 'p{color:blue}' });
  const [outer, inner] = [...css.matchAll(/\.(cms-\w{12}) p\{color:(?:blue|red)\}/g)].map(([, scope]) => scope!);

  expect(css).toBe(`.${outer} p{color:blue}\n.${inner} p{color:red}`);
  const box = `<div class="cms-scope ${inner}"><p>in</p></div>`;
  expect(html).toBe(`${fence}<div class="cms-scope ${outer}"><p>out</p>${box}${box}</div></div>`);
});

const fence = '<div class="cms-content" style="position:relative;contain:layout paint">';

test('content with styles, its own or a block’s, ends at the edge of a box that the styles cannot change', async () => {
  const cover = 'position:absolute;inset:0;z-index:9;margin:-99px';
  expect(await htmlOf(`<p style="${cover}">x</p>`)).toBe(`${fence}<p style="${cover}">x</p></div>`);
  expect(await htmlOf(`</div></div><b style='top:0'>x`)).toBe(`${fence}<b style="top:0">x</b></div>`);
  await publishedContent(em, { identifier: 'cover', content: 'x', css: `body{${cover}}` });
  expect(await htmlOf('{{block id=cover}}')).toMatch(/^<div class="cms-content" style="[^"]*contain[^"]*"><div/);
  const { css } = await render('x', { css: '.cms-content{contain:none!important}body{position:absolute}' });
  expect(css).toMatch(/^\.(cms-\w{12}) \.cms-content\{contain:none!important\}\.\1\{position:absolute\}$/);
  expect(await htmlOf('<p>x</p>')).toBe('<p>x</p>');
});

test('while 480 kB of styles that nobody understands are rendered, others get their turn', async () => {
  let [turns, isRendered] = [0, false];
  const unknown = `<p style="${'a:b;'.repeat(19_000)}">x</p>`.repeat(6);
  const rendering = htmlOf(unknown).finally(() => (isRendered = true));
  for (; !isRendered; turns++) await new Promise((turn) => setImmediate(turn));
  expect(await rendering).toBe('<p>x</p>'.repeat(6));
  // One in which nothing else could run would be a turn or two, but for the statements.
  expect(turns).toBeGreaterThan(200);
});

test('who publishes hears what the thread refuses', async () => {
  await expect(render('x', { css: '!;'.repeat(20_001) })).rejects.toMatchObject({
    status: 400,
    message: 'The styles must not have more than %1 rules and declarations.',
    parameters: [20_000],
  });
});
