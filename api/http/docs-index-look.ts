/** How the pages of `/docs` look and what they do: small, because a phone waits for it. */

export const indexStyle = `:root { color-scheme: light dark; --line: #8883; --soft: #8881;
  --link: light-dark(#0b57c4, #8ab4f8); }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
.top { display: flex; gap: 1.5rem; align-items: center; padding: 0.7rem 0; border-bottom: 1px solid var(--line); }
.top a { text-decoration: none; } .top .home { font-weight: 650; color: inherit; white-space: nowrap; }
.top nav { padding: 0; margin-left: auto; gap: 1.1rem; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 0 1rem 4rem;
  background: light-dark(#fff, #16181c); color: light-dark(#1b1d21, #e4e6ea); }
a { color: var(--link); }
h1 { font-size: 1.5rem; margin-bottom: 0.5rem; } h2 { margin: 2.5rem 0 0.5rem; font-size: 1.25rem;
  border-bottom: 1px solid var(--line); } h3 { font-size: 1rem; margin: 1.2rem 0 0.2rem; }
code, pre { font: 0.85em/1.45 ui-monospace, monospace; } code { overflow-wrap: anywhere; }
pre { background: var(--soft); padding: 0.6rem; margin: 0.4rem 0; overflow-x: auto; border-radius: 6px; }
nav { display: flex; gap: 0.2rem 0.9rem; overflow-x: auto; padding: 0.4rem 0; } nav a { white-space: nowrap;
  text-decoration: none; }
#search { font: inherit; width: 100%; padding: 0.5rem 0.7rem; margin: 0.5rem 0; border: 1px solid var(--line);
  border-radius: 6px; background: var(--soft); color: inherit; }
section { content-visibility: auto; contain-intrinsic-size: auto 60rem; }
details { border-bottom: 1px solid var(--line); } details[open] { padding-bottom: 1rem; }
summary { cursor: pointer; padding: 0.5rem 0; list-style: none; } summary::-webkit-details-marker { display: none; }
summary:hover { background: var(--soft); } summary span { display: block; opacity: 0.8; }
summary b { display: inline-block; min-width: 4.2rem; padding: 0 0.4rem; border-radius: 4px; font-size: 0.75rem;
  line-height: 1.5; text-align: center; color: #fff; }
.GET { background: #1a7f52; } .POST { background: #1d62b8; } .PUT { background: #955a00; }
.DELETE { background: #b3261e; }
table { border-collapse: collapse; width: 100%; font-size: 0.92em; } td { border-top: 1px solid var(--line);
  padding: 0.3rem 0.6rem 0.3rem 0; vertical-align: top; }
.needs { opacity: 0.75; font-size: 0.9em; overflow-wrap: anywhere; } [hidden] { display: none; }
.call { position: relative; } .call button { position: absolute; top: 0.4rem; right: 0.4rem; font: inherit;
  font-size: 0.8em; }
.call pre { padding-top: 2.2rem; }
summary { position: relative; padding-right: 4rem; } .curl { position: absolute; top: 0.55rem; right: 0; font: inherit;
  font-size: 0.75rem; padding: 0.05rem 0.5rem; border: 1px solid var(--line); border-radius: 5px; background: none;
color: inherit; opacity: 0.75; cursor: pointer; } .curl:hover { opacity: 1; }
.fields td { width: 22%; } .fields td:last-child { width: 52%; }
.fields td:first-child code { overflow-wrap: break-word; } .shape:target h3 { text-decoration: underline; }
@media (max-width: 40rem) { .fields tr { display: block; border-top: 1px solid var(--line); padding: 0.35rem 0; }
  .fields td { display: inline; border: 0; padding: 0 0.5rem 0 0; } .fields td:last-child { display: block; width: auto;
  } }
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 14.5rem 1fr; column-gap: 2.5rem; } .top { grid-column: 1 / -1; }
header:not(.top), main { grid-column: 2; min-width: 0; }
  .top nav { display: flex; position: static; padding: 0; } .top nav a { padding: 0; }
  body > nav { grid-column: 1; grid-row: 2 / span 2; display: block; position: sticky; top: 0; max-height: 100vh;
  align-self: start; padding-top: 1.4rem; overflow-y: auto; } body > nav a { display: block; white-space: normal;
line-height: 1.35; padding: 0.1rem 0; }
}
`;

export const indexScript = `const rows = [...document.querySelectorAll('details')];
const chapters = [...document.querySelectorAll('section')];
const search = document.getElementById('search');

// What an operation says comes with its chapter, when the first of them is opened.
const loading = new Map();
const fill = async (chapter) => {
  if (!loading.has(chapter)) loading.set(chapter, fetch('/docs/' + chapter + '.html').then(async (answer) => {
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    for (const full of page.querySelectorAll('details')) {
      const row = document.getElementById(full.id);
      if (row && row.childElementCount === 1) row.append(...[...full.childNodes].slice(1));
    }
  }).catch(() => loading.delete(chapter)));
  await loading.get(chapter);
};
document.addEventListener('toggle', ({ target: row }) => {
  if (row.open && row.tagName === 'DETAILS') fill(row.closest('section').id);
}, true);

// All texts come at the first look at the search; until then it knows the lines.
let texts;
const textOf = (row) => texts?.[row.id] ?? row.textContent.toLowerCase();
const filter = () => {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const row of rows) { const text = textOf(row); row.hidden = !words.every((word) => text.includes(word)); }
  for (const chapter of chapters) chapter.hidden = !chapter.querySelector('details:not([hidden])');
};
search?.addEventListener('focus', async () => {
  texts = await (await fetch('/docs/search.json')).json();
  if (search.value) filter();
}, { once: true });
search?.addEventListener('input', filter);

// A call goes to the service that shows it; the token is the reader's. Without https the browser has no clipboard: the call
// is marked, to be copied by hand.
const copy = async (button, call) => {
  const text = call.textContent.replaceAll('$POS', location.origin);
  const isCopied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  if (!isCopied) { call.closest('details').open = true; getSelection().selectAllChildren(call); }
  const name = button.textContent;
  button.textContent = isCopied ? 'Copied' : 'Marked';
  setTimeout(() => { button.textContent = name; }, 2000);
};
for (const row of rows) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'curl', textContent: 'curl', title: 'Copy as a curl command' });
  row.firstElementChild.append(button);
}
document.addEventListener('click', async (event) => {
  const button = event.target;
  if (button.matches('.curl')) {
    event.preventDefault();
    const row = button.closest('details');
    await fill(row.closest('section').id);
    const call = row.querySelector('.call pre');
    if (call) await copy(button, call);
  } else if (button.matches('.call button')) await copy(button, button.nextElementSibling);
});

const open = () => { const row = document.getElementById(location.hash.slice(1)); if (row?.tagName === 'DETAILS') row.open = true; };
addEventListener('hashchange', open);
open();
`;
