import { lastAct } from '../../db/ops/presses.ts';
import { idIn } from '../../domain/ids.ts';
import type { Banner } from './html.ts';
import type { PageAnswer, Visit } from './visit.ts';

/** What a page says about a press that found its work done by another: who, when, what, and that it changed nothing. */

const words = {
  en: {
    unknown: 'Another request',
    changedNothing: 'Your press changed nothing.',
    on: (who: string, when: string, what: string) => `${who}, ${when}: ${what}.`,
  },
  de: {
    unknown: 'Eine andere Anfrage',
    changedNothing: 'Ihr Klick hat nichts geändert.',
    on: (who: string, when: string, what: string) => `${who}, ${when}: ${what}.`,
  },
} as const;

export interface Done {
  /** Null: no name is stored. */
  by: string | null;
  at: Date;
  /** Half a sentence, such as `given back US$77.00, cash`. */
  what: string;
}

/** `Olga Meyer, 28 Nov 2026, 21:03: given back US$77.00, cash. Your press changed nothing.` */
export function changedNothing({ f, lang }: Pick<Visit, 'f' | 'lang'>, { by, at, what }: Done): Banner {
  const own = words[lang];
  return { kind: 'info', text: `${own.on(by ?? own.unknown, f.moment(at), what)} ${own.changedNothing}` };
}

/** The way back to a list where another press had done the work; `aboutOf` finds the act again. */
export const backToDone = (path: string, id: number): PageAnswer => ({ to: `${path}?before=${id}` });

/** The banner of a list after such a press, by the audit trail; none where no press was before. */
export async function doneBefore(
  visit: Visit,
  { kind, fields, what }: { kind: string; fields: readonly string[]; what: (field: string) => string },
): Promise<Banner[]> {
  const id = idIn(visit.query.get('before') ?? undefined);
  if (id === undefined) return [];
  const act = await lastAct(visit.em, { kind, id, fields });
  const done = act ? { by: act.by, at: act.createdAt, what: what(act.fieldName) } : undefined;
  return [changedNothing(visit, done ?? { by: null, at: visit.now, what: what(fields[0] ?? '') })];
}
