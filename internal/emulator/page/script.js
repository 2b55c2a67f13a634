'use strict';

const find = (id) => document.getElementById(id);
const list = find('list');
const search = find('search');
const counts = [...find('counts').children];

// The entries of the list by what identifies a request, in order of arrival.
let entries = new Map();
let loaded = false;
let only = ''; // the outcome that is listed; empty: all

// text is the only way from what a sender controls to the page.
function text(name, className, value) {
  const node = document.createElement(name);
  node.className = className;
  node.dir = 'auto';
  node.textContent = value;
  return node;
}

// outcomesOf returns what became of a request, the most urgent first; nothing as long as it is not
// known. Of the 5xx responses only a 503 with Retry-After says that nothing was accepted.
function outcomesOf({ target, status, reason, fault, notification_id, repetition_of }) {
  const lost = reason ? !status || notification_id : fault.startsWith('truncate');
  const unclear = target === 'submission' && (status === 303 || status === 408 ||
    status >= 500 && !fault.startsWith('status:503:'));
  const all = lost || unclear ? ['lost'] : [];
  if (notification_id) return [...all, 'accepted'];
  if (repetition_of) return [...all, 'repeated'];
  if (reason) return lost || unclear ? all : ['rejected'];
  if (!status) return all;
  return [...all, target === 'token' ? 'tokens' : 'lookups'];
}

function badgeOf([outcome, second], status) {
  if (second) return 'answer lost';
  if (!outcome) return 'no response yet';
  if (outcome === 'lost') return status ? status + ' unclear' : 'no response';
  if (outcome === 'rejected') return status + ' rejected';
  return { lookups: 'lookup', tokens: 'token' }[outcome] ?? outcome;
}

// channelsOf reads those of a submission. A body that was rejected may hold anything.
function channelsOf(content) {
  const channels = Array.isArray(content?.channels) ? content.channels : [];
  return channels.filter((channel) => channel && typeof channel === 'object');
}

function parse(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

// partsOf returns what a channel holds, whatever its members are: class, value, name.
function partsOf({ type, ...members }) {
  const plain = (value) => value && typeof value === 'object' ? '…' : String(value);
  return [['type', plain(type)], ...Object.entries(members).flatMap(([name, value]) => {
    if (Array.isArray(value)) return value.map((item) => ['item', plain(item)]);
    if (!value || typeof value !== 'object') return [['field', plain(value), name]];
    return Object.entries(value).map(([key, item]) => ['field', plain(item), key]);
  })];
}

// factsOf returns what else is known of a request, whatever its members are: name, value.
function factsOf({ body, ...request }) {
  return Object.entries(request).flatMap(([name, value]) =>
    typeof value !== 'object' || Array.isArray(value) ? [[name, String(value)]] :
      Object.entries(value).map(([key, item]) => [name + '.' + key, String(item)]),
  ).filter(([, value]) => value);
}

function titleOf({ lookup, form, reason, target }, [channel]) {
  if (lookup) return `${lookup.name}: ${lookup.found} ${lookup.found === 1 ? 'study' : 'studies'}`;
  if (channel) return typeof channel.subject === 'string' ? channel.subject : 'no subject';
  return reason || (form ? 'token for ' + form.client_id : target);
}

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, timeZoneName: 'short',
});

function timeOf(time) {
  const at = new Date(time);
  const day = at.toDateString() === new Date().toDateString() ? '' : at.toLocaleDateString('sv') + ' ';
  const node = text('time', '', day + clock.format(at));
  node.dateTime = time;
  return node;
}

function newEntry() {
  const entry = { item: document.createElement('li') };
  entry.details = entry.item.appendChild(document.createElement('details'));
  entry.summary = entry.details.appendChild(document.createElement('summary'));
  entry.more = entry.details.appendChild(text('div', 'more', ''));
  entry.details.addEventListener('toggle', () => showMore(entry));
  return entry;
}

// fill shows the request in the entry, which stays open and focused.
function fill(entry, request, submission) {
  const content = submission ?? parse(request.body);
  const channels = channelsOf(content);
  const { method, path, query, reason, fault, repetition_of } = request;
  entry.concluded = request.status || reason;
  entry.outcomes = outcomesOf(request);
  entry.title = titleOf(request, channels);
  entry.facts = factsOf(request);
  entry.body = submission ? JSON.stringify(submission.body, null, 2) : request.body;

  const parts = channels.flatMap(partsOf);
  if (submission) parts.unshift(['priority', submission.priority]);
  if (!channels.length) parts.push(['type', request.target], ['item', method + ' ' + path + (query ? '?' + query : '')]);
  if (repetition_of) parts.unshift(['why', 'repetition of ' + repetition_of]);
  if (fault) parts.unshift(['fault', 'fault ' + fault]);
  if (reason && reason !== entry.title) parts.unshift(['why', reason]);

  const about = text('span', 'about', '');
  for (const [className, value, name] of parts.slice(0, 50)) {
    const node = text('span', className, name === undefined ? value : '');
    if (name !== undefined) node.append(text('span', '', name), ' = ', text('b', '', value));
    about.append(node);
  }
  const badge = text('span', 'badge ' + (entry.outcomes[0] ?? ''), badgeOf(entry.outcomes, request.status));
  entry.summary.replaceChildren(badge, text('span', 'subject', entry.title), timeOf(request.time), about);
  entry.search = [badge.textContent, entry.title, entry.body, parts, entry.facts].flat(2).join('\n').toLowerCase();
  showMore(entry);
}

function showMore({ details, more, body, facts }) {
  more.replaceChildren();
  if (!details.open) return;
  if (body) more.append(text('pre', '', body));
  const known = more.appendChild(text('dl', '', ''));
  for (const [name, value] of facts) known.append(text('dt', '', name), text('dd', '', value));
}

function show(ledger) {
  const accepted = new Map(ledger.submissions.map((one) => [one.notification_id, one]));
  const fresh = new Map();
  const arrived = [];
  for (const request of ledger.requests) {
    let key = request.time;
    while (fresh.has(key)) key += ' again';
    const entry = entries.get(key) ?? newEntry();
    fresh.set(key, entry);
    if (!entry.concluded) fill(entry, request, accepted.get(request.notification_id));
    if (!entries.delete(key)) arrived.unshift(entry);
  }
  for (const { item } of entries.values()) item.remove();
  list.prepend(...arrived.map(({ item }) => item));
  entries = fresh;
  if (loaded && arrived.length) {
    find('news').textContent = arrived.length === 1 ? arrived[0].title : arrived.length + ' new';
    for (const { item } of arrived) item.className = 'new';
  }
  loaded = true;
  const count = ledger.notifications ? `(${ledger.notifications.toLocaleString('en')}) ` : '';
  document.title = count + 'Notification emulator';
  find('empty').hidden = entries.size > 0;
  find('dropped').hidden = !ledger.dropped;
  find('dropped').querySelector('b').textContent = ledger.dropped.toLocaleString('en');
  filter();
}

function filter() {
  const query = search.value.toLowerCase();
  const found = {};
  let listed = 0;
  for (const { item, search, outcomes } of entries.values()) {
    const matches = search.includes(query);
    if (matches) for (const outcome of ['', ...outcomes]) found[outcome] = (found[outcome] ?? 0) + 1;
    item.hidden = !matches || only && !outcomes.includes(only);
    if (!item.hidden) listed++;
  }
  for (const button of counts) {
    button.firstElementChild.textContent = (found[button.value] ?? 0).toLocaleString('en');
    button.classList.toggle('none', !found[button.value]);
    button.ariaPressed = button.value === only;
  }
  list.hidden = !listed;
  find('unmatched').hidden = listed || !entries.size;
}

function showFaults(faults) {
  find('faults').replaceChildren(...Object.entries(faults).flatMap(([target, sequence]) =>
    [text('dt', '', target), text('dd', sequence ? 'set' : '', sequence || 'none')]));
}

// call returns what the emulator answers, and throws the text of a problem.
async function call(path, method = 'GET', body) {
  const response = await fetch('/_emulator/' + path, { method, body });
  const content = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw new Error(content.detail);
  return content;
}

// refresh loads what has changed, one load at a time.
let loading = false;
let stale = false;
async function refresh() {
  stale = true;
  if (loading) return;
  loading = true;
  try {
    while (stale) {
      stale = false;
      showFaults(await call('faults'));
      show(await call('ledger'));
    }
  } finally {
    loading = false;
  }
}

async function act(path, method, body) {
  const outcome = find('outcome');
  try {
    await call(path, method, body);
    outcome.className = '';
    outcome.textContent = 'Done.';
  } catch (error) {
    outcome.className = 'problem';
    outcome.textContent = error.message;
  }
}

find('origin').textContent = location.origin;
const connection = find('connection');
const events = new EventSource('/_emulator/events');
events.onopen = () => { connection.textContent = 'live'; connection.className = 'live'; };
events.onerror = () => { connection.textContent = 'not live'; connection.className = ''; };
events.onmessage = refresh;

search.addEventListener('input', filter);
for (const button of counts) button.addEventListener('click', () => { only = button.value; filter(); });
find('inject').addEventListener('submit', (event) => {
  event.preventDefault();
  const { target, sequence } = event.target.elements;
  act('faults', 'POST', JSON.stringify({ [target.value]: sequence.value }));
});
find('clear').addEventListener('click', () => act('faults', 'DELETE'));
find('reset').addEventListener('click', () => { find('ask').open = false; act('reset', 'POST'); });
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, select')) return;
  event.preventDefault();
  search.focus();
});
