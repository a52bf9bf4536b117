import { escaped, figure, type Html } from './html.ts';

/** One bar: for the drawing alone, so its height may be a float. */
export interface Bar {
  label: string;
  group: string;
  height: number;
}

export interface BarChart {
  /** What it shows, in one sentence: also for who does not see it. */
  caption: string;
  bars: readonly Bar[];
  labels: readonly string[];
  format: (height: number) => string;
  height?: number;
}

const width = 640;

/**
 * Bars, drawn on the server: the library draws into a document that exists in memory alone. Its style sheet is left out, since
 * no page of ours lets one in; the page's own styles colour it. Loaded by the first page that draws.
 */
export async function barChart(chart: BarChart): Promise<Html> {
  // What it looks like is all that it is made of; a day that is over never changes.
  const key = JSON.stringify([chart.caption, chart.labels, chart.height, chart.format(1_234), chart.bars]);
  const drawn = drawings.get(key) ?? (await draw(chart));
  drawings.delete(key);
  drawings.set(key, drawn);
  const [oldest] = drawings.keys();
  if (drawings.size > mostDrawings && oldest !== undefined) drawings.delete(oldest);
  return drawn;
}

/** Drawn lately, the last one last. */
const drawings = new Map<string, Html>();
const mostDrawings = 60;

async function draw({ caption, bars, labels, format, height = 220 }: BarChart): Promise<Html> {
  const [Plot, { parseHTML }] = await Promise.all([import('@observablehq/plot'), import('linkedom')]);
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const groups = [...new Set(bars.map(({ group }) => group))];
  const drawn = Plot.plot({
    document: document as unknown as Document,
    ...{ width, height, marginLeft: 70, marginBottom: 30 },
    x: { domain: [...labels], label: null, tickSize: 0 },
    y: { label: null, ticks: 4, tickFormat: format, grid: true, zero: true },
    color: { domain: groups, range: [...colours] },
    marks: [Plot.barY(bars, { x: 'label', y: 'height', fill: 'group', inset: 1 }), Plot.ruleY([0])],
  });
  const svg = withoutStyles(drawn.outerHTML)
    .replace('<svg ', `<svg role="img" aria-label="${escaped(said(caption, bars, format))}" `)
    .replaceAll(/ aria-(?:label|description)="(?:bar|rule|[xy]-axis[^"]*|[xy]-grid)"/g, '');
  return figure(svg + legend(groups), caption, 'plot');
}

/** Told apart in light and dark, also by who does not tell red from green. */
const colours = ['#3b7dd8', '#d98a1f', '#2f9e77', '#b0568f', '#7a6fd0', '#8a8f98'];

function legend(groups: readonly string[]): string {
  if (groups.length < 2) return '';
  const one = (group: string, at: number) =>
    `<li><svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" fill="${colours[at % colours.length] ?? ''}"/></svg> ${escaped(group)}</li>`;
  return `<ul class="legend">${groups.map(one).join('')}</ul>`;
}

const mostSaid = 24;

const said = (caption: string, bars: readonly Bar[], format: (height: number) => string): string =>
  `${caption}: ${bars
    .filter(({ height }) => height !== 0)
    .slice(0, mostSaid)
    .map(({ label, group, height }) => `${label} ${group} ${format(height)}`)
    .join('; ')}`;

function withoutSheets(svg: string): string {
  const [first = '', ...others] = svg.split('<style');
  return first + others.map((part) => part.slice(part.indexOf('</style>') + '</style>'.length)).join('');
}

/** A `style` of an element is written as its attributes; a style sheet goes. */
const withoutStyles = (svg: string): string =>
  withoutSheets(svg).replaceAll(/ style="([^"]*)"/g, (_, styles: string) =>
    styles
      .split(';')
      .map((one) => one.split(':').map((part) => part.trim()))
      .filter(([name = '', value = '']) => value !== '' && !name.startsWith('--') && name !== 'white-space')
      .map(([name = '', value = '']) => ` ${name}="${value}"`)
      .join(''),
  );
