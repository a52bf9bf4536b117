/**
 * How a shop shows staff names to customers, by the format of its location: `first_name`, `initials` …; else the
 * whole name.
 */
export function staffNameAs(name: string | null, format: string | null): string | null {
  const [first = '', ...others] = (name ?? '').trim().split(/\s+/);
  const last = others.at(-1);
  if (first === '') return null;
  const initial = (word: string) => `${Array.from(word)[0] ?? ''}.`;
  if (format === 'first_name' || format === 'first') return first;
  if (format === 'first_name_last_initial' || format === 'first_initial')
    return last === undefined ? first : `${first} ${initial(last)}`;
  if (format === 'initials') return [first, ...(last === undefined ? [] : [last])].map(initial).join(' ');
  return [first, ...others].join(' ');
}
