import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

const root = new URL('../../../', import.meta.url);

/** A Markdown file of the repository that is shown as a page. */
export interface GuidePage {
  /** `docs/registers/return.md` */
  file: string;
  /** `/docs/guide/registers/return` */
  path: string;
  title: string;
}

/** Pages for one kind of reader. */
export interface GuideSection {
  name: string;
  pages: readonly GuidePage[];
}

/** All pages, and those of the menu in their order. */
export interface GuideMenu {
  sections: readonly GuideSection[];
  byPath: ReadonlyMap<string, GuidePage>;
  byFile: ReadonlyMap<string, GuidePage>;
}

/** Where the guide begins. */
export const guidePath = '/docs/guide';

/** Documents beside the folder `docs`. */
const atTop = ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

/** The menu: a name, then files and folders. A folder's pages stand in the order in which its README links them. */
const sections: readonly (readonly [name: string, ...from: string[]])[] = [
  ['Start', 'docs/start.md', 'docs/sandbox.md'],
  ['A register', 'docs/registers'],
  ['The shop', 'docs/operators', 'docs/first-shop.md', 'docs/receipts.md'],
  ['The servers', 'docs/deploy', 'SECURITY.md'],
  ['Reference', 'docs/reference', 'docs/glossary.md', 'CHANGELOG.md'],
  ['Your own providers', 'docs/extend'],
  ['The code', 'CONTRIBUTING.md', 'docs/inside/map.md', 'docs/inside', 'docs/inside/decisions'],
  ['The contract', 'docs/interface'],
];

let made: GuideMenu | undefined;

/** Read at the first request: pages do not change while the process lives. */
export const guideMenu = (): GuideMenu => (made ??= readMenu());

function readMenu(): GuideMenu {
  const pages = [...atTop, ...markdownBelow('docs')].map(pageOf);
  const byFile = new Map(pages.map((page) => [page.file, page]));
  const pagesOf = (from: string) =>
    (from.endsWith('.md') ? [from] : orderOf(from, [...byFile.keys()])).flatMap((file) => byFile.get(file) ?? []);
  return {
    sections: sections.map(([name, ...from]) => ({ name, pages: [...new Set(from.flatMap(pagesOf))] })),
    byPath: new Map(pages.map((page) => [page.path, page])),
    byFile,
  };
}

/** Every file below a folder of the repository whose name ends so. */
export const filesBelow = (folder: string, ending: RegExp): string[] =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => ending.test(file))
    .map((file) => posix.join(folder, file))
    .toSorted();

const markdownBelow = (folder: string) => filesBelow(folder, /\.md$/);

export const readDocument = (file: string): string => readFileSync(new URL(file, root), 'utf8');

const pageOf = (file: string): GuidePage => ({
  file,
  path: `${guidePath}/${pathIn(file)}`,
  title: /^# (.+)$/m.exec(readDocument(file))?.[1] ?? file,
});

const pathIn = (file: string) =>
  atTop.includes(file)
    ? file.replace('.md', '').toLowerCase()
    : file.replace(/^docs\//, '').replace(/(?:\/README)?\.md$/, '');

/** The README, what it links to, then the rest by name. */
function orderOf(folder: string, files: readonly string[]): string[] {
  const first = `${folder}/README.md`;
  const own = files.filter((file) => posix.dirname(file) === folder);
  if (!own.includes(first)) return own;
  const linked = linksIn(readDocument(first)).map((link) =>
    link.startsWith('/') ? link.slice(1) : posix.join(folder, link),
  );
  return [...new Set([first, ...linked.filter((file) => own.includes(file)), ...own])];
}

/** What a text links to, without places on a page. */
const linksIn = (text: string): string[] =>
  text
    .split('](')
    .slice(1)
    .map((rest) => (rest.split(')', 1)[0] ?? '').split('#', 1)[0] ?? '');
