import { invalid } from '../../domain/errors.ts';
import { idIn } from '../../domain/ids.ts';
import { details, form, type Html } from './html.ts';
import type { Visit } from './visit.ts';

/** What actions of lists share: a form with a reason, the id in the path, and the author for the audit trail. */

/** A form with a reason and one button: the audit log records every action with its reason. */
export const reasoned = (
  visit: Visit,
  action: string,
  text: string,
  { kind, hidden = {} }: { kind?: 'bad'; hidden?: Readonly<Record<string, string>> } = {},
): Html =>
  details(
    text,
    form({
      ...{ action, csrf: visit.csrf, hidden, buttons: [{ text, ...(kind === undefined ? {} : { kind }) }] },
      fields: [{ name: 'reason', label: visit.w.reason, isRequired: true, most: 1_000 }],
    }),
  );

export function idOrNone(visit: Visit, name: string): number {
  const id = idIn(visit.params[name]);
  if (id === undefined) throw invalid(visit.w.notThere);
  return id;
}

export const doneBanner = ({ query, w }: Visit) => (query.has('done') ? [{ kind: 'good', text: w.done } as const] : []);
export const authorOf = ({ person }: Visit) =>
  ({ changeSource: 'admin', staffName: person.name, account: person.account }) as const;
