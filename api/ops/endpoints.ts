import {
  findEndpoint,
  listAttempts,
  listEndpoints,
  mostCounted,
  updateEndpoint,
  type EndpointRow,
} from '../../db/events/endpoints.ts';
import { readFeedState } from '../../db/events/feed.ts';
import { auditOps } from '../../db/ops/read-lists.ts';
import { invalid } from '../../domain/errors.ts';
import { feedTroubles } from '../../domain/events.ts';
import { idIn } from '../../domain/ids.ts';
import { webhookId, type WebhookInput } from '../../workflows/messages.ts';
import { details, form, table, type Banner, type Html } from './html.ts';
import { backToDone, doneBefore } from './presses.ts';
import { reasonIn, type OpsPage, type PageAnswer, type Visit } from './visit.ts';

/**
 * Where events are sent to: how each endpoint does, its last answers, on and off. They are added by the API or the
 * tool.
 */

const words = {
  en: {
    ...{ title: 'Webhooks', address: 'Address', types: 'Types', waiting: 'Waiting', answers: 'Last answers' },
    ...{
      every: 'every type',
      none: 'No endpoint. Add one: pos events endpoints create',
      on: 'Switch on',
      off: 'Switch off',
    },
    ...{ states: { on: 'on', off: 'off', paused: 'paused' }, silent: 'no answer', more: 'or more' },
    switched: { on: 'switched on', off: 'switched off' } as Readonly<Record<string, string>>,
    troubles: {
      without_place: 'Events have no place in the feed yet: nobody reads it, and no worker runs. Since',
      held_open: 'A transaction of the database is open. What it tells comes so late, nothing else does. Since',
      overdue: 'Deliveries are due and not sent: look whether a worker runs. Since',
    },
  },
  de: {
    ...{ title: 'Webhooks', address: 'Adresse', types: 'Ereignisse', waiting: 'Wartend', answers: 'Letzte Antworten' },
    ...{
      every: 'alle',
      none: 'Kein Ziel. Eines anlegen: pos events endpoints create',
      on: 'Einschalten',
      off: 'Ausschalten',
    },
    ...{ states: { on: 'an', off: 'aus', paused: 'angehalten' }, silent: 'keine Antwort', more: 'oder mehr' },
    switched: { on: 'eingeschaltet', off: 'ausgeschaltet' } as Readonly<Record<string, string>>,
    troubles: {
      without_place: 'Ereignisse haben noch keinen Platz im Feed: Niemand liest ihn, und kein Worker läuft. Seit',
      held_open: 'Eine Transaktion der Datenbank ist offen. Was sie erzählt, kommt so spät, sonst nichts. Seit',
      overdue: 'Zustellungen sind fällig und gehen nicht ab: Läuft ein Worker? Seit',
    },
  },
} as const;

const shownAnswers = 3;

async function showEndpoints(visit: Visit): Promise<PageAnswer> {
  const { em, w, f, lang, now, query } = visit;
  const own = words[lang];
  const rows = [];
  for (const one of await listEndpoints(em)) {
    const answers = await listAttempts(em, { endpointId: one.endpointId, before: undefined, limit: shownAnswers });
    const lastAnswers = answers.map(
      ({ at, status, failure }) => `${f.clock(new Date(at))} ${status ?? failure ?? own.silent}`,
    );
    const since = one.failingSince === null ? '' : `, ${f.age(new Date(one.failingSince), now)}`;
    rows.push([
      [one.url, one.description].filter(Boolean).join(' – '),
      one.types.length === 0 ? own.every : one.types.join(', '),
      `${stateOf(one, own.states)}${since}`,
      one.waiting < mostCounted ? f.number(one.waiting) : `${f.number(mostCounted)} ${own.more}`,
      lastAnswers.join('; '),
      { text: '', html: switchOf(visit, one) },
    ]);
  }
  return {
    title: own.title,
    banners: [
      ...(query.has('done') ? [{ kind: 'good', text: w.done } as const] : []),
      ...(await doneBefore(visit, {
        kind: 'webhook_endpoint',
        fields: ['on', 'off'],
        what: (did) => own.switched[did] ?? did,
      })),
      ...(await troubleBanners(visit)),
    ],
    body: [
      table({
        caption: own.title,
        heads: [own.address, own.types, w.status, `#${own.waiting}`, own.answers, ''],
        rows,
        empty: own.none,
      }),
    ],
  };
}

/** What is wrong with the feed itself; how each endpoint does is in its row. */
async function troubleBanners({ em, f, lang, now }: Visit): Promise<Banner[]> {
  const own: Readonly<Record<string, string>> = words[lang].troubles;
  return feedTroubles(await readFeedState(em)).flatMap(({ kind, figure }) =>
    own[kind] === undefined
      ? []
      : [{ kind: 'bad', text: `${own[kind]}: ${f.age(new Date(now.getTime() - figure * 1_000), now)}` } as const],
  );
}

const stateOf = ({ state }: EndpointRow, states: Readonly<Record<string, string>>) => states[state] ?? state;

function switchOf({ csrf, w, lang }: Visit, { endpointId, state }: EndpointRow): Html {
  const [verb, text] = state === 'on' ? ['off', words[lang].off] : ['on', words[lang].on];
  return details(
    text,
    form({
      ...{ action: `/ops/endpoints/${endpointId}/${verb}`, csrf, buttons: [{ text }] },
      fields: [{ name: 'reason', label: w.reason, isRequired: true, most: 1_000 }],
    }),
  );
}

/** On or off, with the reason in the audit trail. A repeat changes nothing more. */
async function switchEndpoint(visit: Visit): Promise<PageAnswer> {
  const { em, w, person, params, parts } = visit;
  const endpointId = idIn(params['endpointId']);
  const isOn = params['verb'] === 'on';
  if (endpointId === undefined || !(isOn || params['verb'] === 'off')) throw invalid(w.notThere);
  const reason = reasonIn(visit);
  const { state } = await findEndpoint(em, endpointId);
  if (state === (isOn ? 'on' : 'off')) return backToDone('/ops/endpoints', endpointId);
  await auditOps(em, { kind: 'webhook_endpoint', id: endpointId, did: isOn ? 'on' : 'off', reason, by: person });
  await updateEndpoint(em.fork(), endpointId, { isOn });
  if (isOn) {
    const life = { workflow: 'webhookWorkflow', id: webhookId(endpointId), input: { endpointId } };
    // Housekeeping begins what is not begun here, a minute later.
    await parts.workflows.start<WebhookInput>(life).catch(() => undefined);
  }
  return { to: '/ops/endpoints?done=1' };
}

const right = { acl: 'Vendor_Pos::events_manage', staff: [] } as const;

export const endpointPages: readonly OpsPage[] = [
  { method: 'GET', path: '/endpoints', right, menu: () => words.en.title, handle: showEndpoints },
  { method: 'POST', path: '/endpoints/:endpointId/:verb', right, handle: switchEndpoint },
];
