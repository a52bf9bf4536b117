import { treeOf, type Part, type PatternTree } from './pattern-tree.ts';

/** A long text, as it is put together: the unit again and again, between two ends. */
export interface HostileText {
  before: string;
  unit: string;
  after: string;
}

/** What patterns of ours are about, beside the signs they name. */
const usualSigns = ['a', 'Z', '0', '9', ' ', '\n', '\t', '\\', '"', '.', '-', '_', '/', ':', 'é'];
/** A repetition up to here costs a constant, which the comparison allows for. */
const shortRepeat = 4;
const unitsOfAPart = 6;
/** Signs that hardly any pattern takes. */
const ends = ['\u0001', '\n!'];

/**
 * Texts that a pattern with a bad end to its patience would read again and again: each sign of it in a run; each thing
 * it repeats, in a run behind what leads to it, with an end that does not fit; that run with its lead, again and again.
 */
export function hostileTexts(source: string, flags: string): HostileText[] {
  const signs = [...new Set([...source.split(''), ...usualSigns])];
  const tree = treeOf(source);
  const sampler: Sampler = { tree, signsOf: (set) => signs.filter((sign) => fits(set, flags, sign)) };
  const texts: HostileText[] = signs.map((unit) => ({ before: '', unit, after: '\u0001' }));
  for (const lead of ['', 'a', '\u0001'])
    texts.push({ before: '', unit: sampleOf(sampler, tree.parts) + lead, after: '\u0001' });
  walk(sampler, { parts: tree.parts, before: '', after: '' }, texts);
  const known = new Map(texts.filter(({ unit }) => unit !== '').map((text) => [JSON.stringify(text), text]));
  return [...known.values()];
}

interface Sampler {
  tree: PatternTree;
  signsOf: (set: string) => string[];
}

function fits(set: string, flags: string, sign: string): boolean {
  return new RegExp(`^(?:${set})$`, flags.replaceAll(/[gy]/g, '')).test(sign);
}

interface Place {
  parts: readonly Part[];
  before: string;
  after: string;
}

function walk(sampler: Sampler, { parts, before, after }: Place, texts: HostileText[]): void {
  for (const [index, part] of parts.entries()) {
    const lead = before + sampleOf(sampler, parts.slice(0, index));
    const rest = sampleOf(sampler, parts.slice(index + 1)) + after;
    const inner = part.is === 'repeat' ? part.of : part;
    if (part.is === 'repeat' && part.most > shortRepeat) addRuns(sampler, { of: part.of, lead, rest }, texts);
    if (inner.is === 'group')
      for (const branch of inner.branches) walk(sampler, { parts: branch, before: lead, after: rest }, texts);
  }
}

function addRuns(sampler: Sampler, at: { of: Part; lead: string; rest: string }, texts: HostileText[]): void {
  for (const unit of unitsOf(sampler, at.of)) {
    for (const end of ends) texts.push({ before: at.lead, unit, after: end });
    texts.push(
      { before: at.lead, unit, after: `${at.rest}\u0001` },
      { before: '', unit: at.lead + unit, after: '\u0001' },
    );
  }
}

/** A few ways to say the part once, from both ends of what it takes. */
function unitsOf(sampler: Sampler, part: Part): string[] {
  if (part.is === 'set') {
    const signs = sampler.signsOf(part.source);
    return [...new Set([...signs.slice(0, unitsOfAPart), ...signs.slice(-unitsOfAPart)])];
  }
  if (part.is !== 'group') return [sampleOf(sampler, [part])];
  const whole = part.branches.map((branch) => sampleOf(sampler, branch));
  return [...new Set([...whole, whole.join('')])];
}

/** One text that fits, or nearly: sets by their first sign, repetitions as few times as may be, but once. */
function sampleOf(sampler: Sampler, parts: readonly Part[]): string {
  return parts.map((part) => sampleOfPart(sampler, part)).join('');
}

function sampleOfPart(sampler: Sampler, part: Part): string {
  switch (part.is) {
    case 'nothing':
      return '';
    case 'set':
      return sampler.signsOf(part.source)[0] ?? '';
    case 'again': {
      const group = sampler.tree.groups[part.group - 1];
      return group ? sampleOfPart(sampler, group) : '';
    }
    case 'group':
      return part.isLook ? '' : sampleOf(sampler, part.branches[0] ?? []);
    case 'repeat':
      return sampleOfPart(sampler, part.of).repeat(Math.max(part.least, 1));
  }
}
