'use strict';

const list = document.getElementById('list');
const filter = document.getElementById('filter');
const search = document.getElementById('q');
const connection = document.getElementById('connection');
const outcome = document.getElementById('outcome');
const news = document.getElementById('news');

// The page is loaded again as often as something changes, one load at a time.
let loading = false;
let stale = false;

async function refresh() {
  stale = true;
  if (loading) return;
  loading = true;
  try {
    while (stale) {
      stale = false;
      const response = await fetch(address(), { cache: 'no-store' });
      show(new DOMParser().parseFromString(await response.text(), 'text/html'));
    }
  } catch {
    // The emulator has stopped. The next event comes when it is back.
  } finally {
    loading = false;
  }
}

function address() {
  const parameters = new URLSearchParams(new FormData(filter));
  for (const [name, value] of [...parameters]) if (!value) parameters.delete(name);
  return location.pathname + (parameters.size ? '?' + parameters : '');
}

function show(fresh) {
  document.title = fresh.title;
  for (const node of document.querySelectorAll('[data-live]')) {
    const other = fresh.getElementById(node.id);
    if (node.innerHTML !== other.innerHTML) node.replaceWith(other);
  }
  merge([...fresh.getElementById('list').children]);
}

// Entries that are there already stay untouched: they may be open, selected or focused.
function merge(entries) {
  const first = !list.dataset.loaded;
  const kept = new Map([...list.children].map((node) => [node.id, node]));
  const newest = Math.max(0, ...[...kept.keys()].map(number));
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
    if (same) entry.firstElementChild.open = same.firstElementChild.open;
    if (!first && number(entry.id) > newest) {
      entry.className = 'new';
      arrived.push(entry.querySelector('.subject').textContent);
    }
    list.insertBefore(entry, at);
  }
  while (at) drop();
  list.dataset.loaded = 'yes';
  if (arrived.length) news.textContent = arrived.length === 1 ? arrived[0] : arrived.length + ' new';
}

function number(id) { return Number(id.slice(1)); }

// send makes a request to the emulator, and says what is wrong with it.
async function send(method, path, body) {
  try {
    const response = await fetch(path, { method, body });
    return response.ok ? '' : (await response.json()).detail;
  } catch {
    return 'The emulator does not answer.';
  }
}

const events = new EventSource('/_emulator/events');
events.onopen = () => { connection.textContent = 'live'; connection.className = 'live'; };
events.onerror = () => { connection.textContent = 'not live'; connection.className = ''; };
events.onmessage = refresh;

filter.addEventListener('input', () => { history.replaceState(null, '', address()); refresh(); });
filter.addEventListener('submit', (event) => event.preventDefault());

document.getElementById('inject').addEventListener('submit', async (event) => {
  event.preventDefault();
  const { target, fault, count } = Object.fromEntries(new FormData(event.target));
  const problem = await send('POST', '/_emulator/faults',
    JSON.stringify({ [target]: count === '1' ? fault : fault + '*' + count }));
  outcome.className = problem ? 'problem' : '';
  outcome.textContent = problem || 'Set for ' + target + '.';
});

document.addEventListener('click', async (event) => {
  const { request, copy } = event.target.dataset;
  if (request) {
    const problem = await send(...request.split(' '));
    outcome.className = problem ? 'problem' : '';
    outcome.textContent = problem;
  }
  if (copy) {
    await navigator.clipboard.writeText(document.getElementById(copy).textContent);
    event.target.textContent = 'Copied';
  }
});

document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !event.target.closest('input, select')) {
    event.preventDefault();
    search.focus();
  }
});
