import type { Directive } from './directives.ts';

/** The meaning of a directive, by its name and its keys. `nothing` is a directive that is not on the list. */
export type Meaning =
  | { is: 'block'; identifier: string }
  | { is: 'setting'; path: string }
  | { is: 'address'; path: string }
  | { is: 'link'; path: string; text: string; title: string }
  | { is: 'nothing' };

/** By the last part of the widget's class name; its namespace does not matter. */
const widgets: Readonly<Record<string, (values: Directive['values']) => Meaning>> = {
  'cms\\block\\widget\\block': blockOf,
  'cms\\block\\widget\\page\\link': linkOf,
};

/** The meaning of a directive. Unknown names, and widgets that are not on the list, show nothing (spec 4.12). */
export function meaningOf({ name, values }: Directive): Meaning {
  switch (name) {
    case 'block':
      return blockOf(values);
    case 'config':
      return { is: 'setting', path: values['path'] ?? '' };
    case 'store':
      return { is: 'address', path: values['url'] ?? values['direct_url'] ?? '' };
    case 'widget':
      return widgetOf(values['type'] ?? '')?.(values) ?? { is: 'nothing' };
    default:
      return { is: 'nothing' };
  }
}

const widgetOf = (type: string) => {
  const parts = type.toLowerCase().split(/[\\/]+/);
  const known = Object.entries(widgets).find(([end]) => parts.slice(-end.split('\\').length).join('\\') === end);
  return known?.[1];
};

function blockOf(values: Directive['values']): Meaning {
  const identifier = values['id'] ?? values['block_id'] ?? values['identifier'] ?? '';
  return /^[\w.-]{1,100}$/.test(identifier) ? { is: 'block', identifier } : { is: 'nothing' };
}

function linkOf(values: Directive['values']): Meaning {
  const path = values['href'] ?? values['page_id'] ?? '';
  const text = values['anchor_text'] ?? values['title'] ?? '';
  return path === '' || text === '' ? { is: 'nothing' } : { is: 'link', path, text, title: values['title'] ?? '' };
}
