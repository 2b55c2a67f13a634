'use strict';

document.documentElement.classList.add('scripted');

const list = document.getElementById('list');
const filter = document.getElementById('filter');
const search = document.getElementById('q');
const connection = document.getElementById('connection');
const outcome = document.getElementById('outcome');
const wrong = document.getElementById('wrong');
const news = document.getElementById('news');

// The page is loaded again as often as something changes, one load at a time.
let running;
let stale = false;

function refresh() {
  stale = true;
  return running ??= load().finally(() => { running = undefined; });
}

async function load() {
  try {
    while (stale) {
      stale = false;
      const response = await fetch(location.pathname + location.search, { cache: 'no-store' });
      if (!response.ok) throw new Error(response.status);
      show(new DOMParser().parseFromString(await response.text(), 'text/html'));
    }
  } catch {
    // The emulator has stopped, or is in trouble. The next event comes when it is back.
  }
}

function show(fresh) {
  document.title = fresh.title;
  for (const node of document.querySelectorAll('[data-live]')) {
    const other = fresh.getElementById(node.id);
    if (node.innerHTML === other.innerHTML) continue;
    const focused = node.contains(document.activeElement) && document.activeElement.classList[0];
    node.replaceWith(other);
    if (focused) other.getElementsByClassName(focused)[0]?.focus();
  }
  merge([...fresh.getElementById('list').children]);
}

// Entries that are there already stay untouched: they may be open, selected or focused.
function merge(entries) {
  const first = !list.dataset.loaded;
  const kept = new Map([...list.children].map((node) => [node.id, node]));
  const newest = Math.max(0, ...[...kept.values()].map(born));
  const arrived = [];
  let at = list.firstElementChild;
  const drop = () => { const gone = at; at = at.nextElementSibling; gone.remove(); };
  for (const entry of entries) {
    const same = kept.get(entry.id);
    if (same && same.dataset.version === entry.dataset.version) {
      while (at !== same) drop();
      at = at.nextElementSibling;
      continue;
    }
    if (same && born(same) === born(entry)) entry.firstElementChild.open = same.firstElementChild.open;
    if (!first && born(entry) > newest) {
      entry.className = 'new';
      arrived.push(entry.querySelector('.subject').textContent);
    }
    list.insertBefore(entry, at);
  }
  while (at) drop();
  list.dataset.loaded = 'yes';
  if (arrived.length) news.textContent = arrived.length === 1 ? arrived[0] : arrived.length + ' new';
}

// born is when a request arrived: its number begins again with the ledger.
function born(entry) { return Number(entry.dataset.version.split(' ')[1]); }

// What another filter or page brings back is not new.
function turn() {
  delete list.dataset.loaded;
  search.value = new URLSearchParams(location.search).get('q') ?? '';
  return refresh();
}

// #r280 opens that entry, on the page where it is.
async function openEntry() {
  const number = Number(/^#r([1-9]\d{0,14})$/.exec(location.hash)?.[1]);
  wrong.textContent = '';
  if (!number) return;
  if (!document.getElementById('r' + number)) {
    history.replaceState(null, '', '?before=' + (number + 1) + location.hash);
    await turn();
  }
  const entry = document.getElementById('r' + number);
  if (!entry) {
    wrong.textContent = 'There is no request #r' + number + ' (any more).';
    return;
  }
  entry.firstElementChild.open = true;
  entry.scrollIntoView();
}

// copy works on pages without TLS too, where there is no navigator.clipboard.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const focused = document.activeElement;
  const area = document.body.appendChild(document.createElement('textarea'));
  area.value = text;
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  focused.focus();
  if (!copied) throw new Error('not copied');
}

const events = new EventSource('/_emulator/events');
events.onopen = () => { connection.textContent = 'live'; connection.className = 'live'; };
events.onerror = () => { connection.textContent = 'not live'; connection.className = ''; };
events.onmessage = refresh;

filter.addEventListener('input', () => {
  const parameters = new URLSearchParams(location.search);
  parameters.delete('before');
  parameters.set('q', search.value);
  history.replaceState(null, '', '?' + parameters);
  delete list.dataset.loaded;
  refresh();
});
addEventListener('popstate', async () => { await turn(); await openEntry(); });
openEntry();

// Without this script a form loads the page again.
document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  if (form === filter) return;
  let problem = '';
  try {
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const response = await fetch(form.action, { method: 'POST', body, redirect: 'manual' });
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    problem = page.getElementById('wrong')?.textContent;
  } catch {
    problem = 'The emulator does not answer.';
  }
  outcome.className = problem ? 'problem' : '';
  outcome.textContent = problem || 'Done.';
  const ask = form.closest('.ask');
  if (ask) ask.open = false;
});

document.addEventListener('click', async (event) => {
  const link = event.target.closest('#counts a, .pages a');
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    history.pushState(null, '', link.getAttribute('href'));
    await turn();
    scrollTo(0, 0);
  }
  const button = event.target.closest('[data-copy], [data-copy-from]');
  if (!button) return;
  button.dataset.label ??= button.textContent;
  try {
    await copy(button.dataset.copy ?? document.getElementById(button.dataset.copyFrom).textContent);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not copied';
  }
  news.textContent = button.textContent;
  setTimeout(() => { button.textContent = button.dataset.label; }, 2000);
});

document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.target.closest('input, select')) {
    event.preventDefault();
    search.focus();
  }
});
