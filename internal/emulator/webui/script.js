'use strict';

const find = (id) => document.getElementById(id);
const [list, search, counts] = [find('list'), find('search'), [...find('counts').children]];
const { target, example, sequence } = find('inject').elements;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit',
  second: '2-digit', fractionalSecondDigits: 3, timeZoneName: 'short' });

let entries = new Map(); // by time of arrival, oldest first
let only = ''; // the outcome to list; empty: all
let loaded = false;
let loads = Promise.resolve();
let waiting = false; // whether the last load has yet to begin

// text creates an element. Nothing else adds untrusted text to the document.
function text(name, className, content) {
  const node = document.createElement(name);
  node.className = className;
  node.dir = 'auto';
  node.textContent = content;
  return node;
}

// leadsAway reports whether a 302 shows that the service did not process the submission: it only
// replaces http by https, or leads to another host, such as a sign-in page. A service behind a
// gateway may redirect to the name that it has there, and to the path without the gateway's prefix:
// so the last segments of the path are enough, from two on.
function leadsAway({ path, headers, fault }) {
  const from = URL.parse(`http://${headers.Host}${path}`);
  const to = URL.parse(/^redirect(?:-after)?:302:(.*)/s.exec(fault)?.[1] ?? '', from ?? undefined);
  if (!from || !to?.hostname) return false;
  const nameOf = ({ hostname }) => hostname.replace(/\.$/, '');
  const segmentsOf = ({ pathname }) => pathname.split('/').filter(Boolean);
  const [before, after] = [segmentsOf(from), segmentsOf(to)];
  const isTail = (_, i) => (!i || before.length - i > 1) &&
    before.slice(i).every((segment, j) => segment === after[j]);
  if (nameOf(to) !== nameOf(from)) return !before.some(isTail);
  return !from.port && to.protocol === 'https:' && !to.port && to.pathname === from.pathname;
}

// outcomesOf returns the outcomes of a request, the most urgent first; none while it is pending. Any
// status after which the service may have accepted a submission is unclear.
function outcomesOf(request) {
  const { target, status, reason, fault, notification_id, repetition_of } = request;
  const unclear = target === 'submission' && (status >= 500 ||
    [303, 408, 460, 499].includes(status) || status === 302 && !leadsAway(request));
  const broken = reason ? !status || notification_id : fault.startsWith('truncate');
  const outcomes = unclear || broken ? ['lost'] : [];
  if (notification_id) outcomes.push('accepted');
  else if (repetition_of) outcomes.push('repeated');
  else if (!reason && status) outcomes.push(target === 'token' ? 'tokens' : 'lookups');
  else if (reason && !outcomes.length) outcomes.push('rejected');
  return outcomes;
}

function badgeOf([outcome, second], status) {
  if (second) return 'answer lost';
  if (!status) return outcome ? 'no response' : 'no response yet';
  const words = { lost: status + ' unclear', rejected: status + ' rejected',
    lookups: 'lookup', tokens: 'token' };
  return words[outcome] ?? outcome;
}

// leavesOf returns the names and texts of all leaves of a JSON value. Items of arrays have no name.
function leavesOf(value, name = '') {
  if (!value || typeof value !== 'object') return [[name, String(value)]];
  const nameOf = (key) => Array.isArray(value) ? '' : name ? name + '.' + key : key;
  return Object.entries(value).flatMap(([key, inner]) => leavesOf(inner, nameOf(key)));
}

// channelsOf returns the leaves of each channel. The body of a rejected submission can be anything.
function channelsOf(submission, body) {
  try {
    const { channels } = submission ?? JSON.parse(body);
    return channels.map((channel) => leavesOf(channel));
  } catch {
    return [];
  }
}

function titleOf({ lookup, form, reason, target }, [channel]) {
  if (lookup) return `${lookup.name}: ${lookup.found} found`;
  if (channel) return channel.find(([name]) => name === 'subject')?.[1] ?? 'no subject';
  return reason || (form ? 'token for ' + form.client_id : target);
}

function newEntry() {
  const entry = { item: document.createElement('li') };
  entry.details = entry.item.appendChild(document.createElement('details'));
  entry.summary = entry.details.appendChild(document.createElement('summary'));
  entry.more = entry.details.appendChild(text('div', 'more', ''));
  entry.details.ontoggle = () => showMore(entry);
  return entry;
}

// fill shows a request in its entry, and keeps the entry open and focused.
function fill(entry, request, submission) {
  const { target, method, path, status, reason, fault, repetition_of } = request;
  const channels = channelsOf(submission, request.body);
  entry.concluded = status || reason;
  entry.outcomes = outcomesOf(request);
  entry.title = titleOf(request, channels).slice(0, 200);
  entry.facts = leavesOf({ ...request, body: '' }).filter(([name, content]) => name && content);
  entry.body = submission ? JSON.stringify(submission.body, null, 2) : request.body;

  const parts = [];
  if (reason && reason !== entry.title) parts.push(['why', reason]);
  if (fault) parts.push(['fault', 'fault ' + fault]);
  if (repetition_of) parts.push(['why', 'repetition of ' + repetition_of]);
  if (!channels.length) parts.push(['type', target], ['field', method + ' ' + path]);
  const lines = channels.map((channel) => lineOf(channel, entry.title));
  if (submission) lines[0].unshift(['priority', submission.priority]);
  const about = text('span', 'about', '');
  fillLine(about, parts);
  for (const line of lines.slice(0, 5)) {
    fillLine(about.appendChild(text('span', 'channel', '')), line);
  }
  if (lines.length > 5) about.append(`and ${lines.length - 5} more`);
  const badge = text('span', 'badge ' + (entry.outcomes[0] ?? ''), badgeOf(entry.outcomes, status));
  const at = new Date(request.time);
  const today = at.toDateString() === new Date().toDateString();
  const time = (today ? '' : at.toLocaleDateString('sv') + ' ') + clock.format(at);
  entry.summary.replaceChildren(badge, text('span', 'subject', entry.title),
    text('time', '', time), about);
  entry.searched = [badge.textContent, entry.title, time, entry.body, parts, lines, entry.facts]
    .flat(3).join('\n').toLowerCase();
  showMore(entry);
}

// lineOf returns what is shown of a channel: its type, items of lists, and other members.
function lineOf(channel, title) {
  const [types, items, members] = [[], [], []];
  for (const [name, content] of channel) {
    if (name === 'type') types.push(['type', content]);
    else if (!name) items.push(['field', content]);
    else if (name !== 'subject' || content !== title) {
      members.push(['field', content, name.slice(name.indexOf('.') + 1)]);
    }
  }
  return [types, items, members].flatMap((parts) => parts.length <= 6 ? parts
    : [...parts.slice(0, 5), ['rest', `and ${(parts.length - 5).toLocaleString('en')} more`]]);
}

// fillLine shows parts: class, text, and the name of a field.
function fillLine(line, parts) {
  for (const [className, content, name] of parts) {
    const start = content.slice(0, 200);
    const part = line.appendChild(text('span', className, name ? '' : start));
    if (name) part.append(text('span', '', name), '\u00a0=\u00a0', text('b', '', start));
    line.append(' '); // a line may end here
  }
}

function showMore({ details, more, body, facts }) {
  more.replaceChildren();
  if (!details.open) return;
  if (body) more.append(text('pre', '', body));
  const known = more.appendChild(text('dl', '', ''));
  for (const [name, value] of facts) known.append(text('dt', '', name), text('dd', '', value));
}

function show(ledger) {
  const submissions = new Map(ledger.submissions.map((one) => [one.notification_id, one]));
  const gone = entries;
  const arrived = [];
  entries = new Map();
  for (const request of ledger.requests) {
    let key = request.time;
    while (entries.has(key)) key += ' again';
    const entry = gone.get(key) ?? newEntry();
    if (!entry.concluded) fill(entry, request, submissions.get(request.notification_id));
    if (!gone.delete(key)) arrived.unshift(entry);
    entries.set(key, entry);
  }
  for (const { item } of gone.values()) item.remove();
  list.prepend(...arrived.map(({ item }) => item));
  if (loaded && arrived.length) {
    find('news').textContent = arrived.length > 1 ? arrived.length + ' new' : arrived[0].title;
    for (const { item } of arrived) item.className = 'new';
  }
  loaded = true;
  const accepted = ledger.notifications ? `(${ledger.notifications}) ` : '';
  document.title = accepted + 'Notification emulator';
  find('empty').hidden = entries.size;
  find('dropped').hidden = !ledger.dropped;
  filter();
}

function filter() {
  const query = search.value.toLowerCase();
  const found = {};
  list.hidden = true;
  for (const { item, searched, outcomes } of entries.values()) {
    const matches = searched.includes(query);
    item.hidden = !matches || only && !outcomes.includes(only);
    if (!item.hidden) list.hidden = false;
    if (matches) for (const name of ['', ...outcomes]) found[name] = (found[name] ?? 0) + 1;
  }
  find('unmatched').hidden = !list.hidden || !entries.size;
  for (const button of counts) {
    button.firstElementChild.textContent = (found[button.value] ?? 0).toLocaleString('en');
    button.classList.toggle('none', !found[button.value]);
    button.ariaPressed = button.value === only;
  }
}

async function load() {
  waiting = false;
  const faults = Object.entries(await (await fetch('/_emulator/faults')).json());
  if (!target.length) {
    target.append(...faults.map(([name]) => new Option(name, name, false, name === 'submission')));
  }
  find('faults').replaceChildren(...faults.flatMap(([target, sequence]) =>
    [text('dt', '', target), text('dd', sequence ? '' : 'none', sequence || 'none')]));
  show(await (await fetch('/_emulator/ledger')).json());
}

async function act(method, path, body) {
  let problem = 'The emulator does not respond.';
  const response = await fetch('/_emulator/' + path, { method, body }).catch(() => undefined);
  if (response) problem = response.ok ? '' : (await response.json()).detail;
  find('outcome').className = problem && 'problem';
  find('outcome').textContent = problem || 'Done.';
}

find('origin').textContent = location.origin;
const connection = find('connection');
const events = new EventSource('/_emulator/events');
events.onopen = () => { connection.className = connection.textContent = 'live'; };
events.onerror = () => { connection.className = ''; connection.textContent = 'not live'; };
events.onmessage = () => { // one load at a time, then one more for all changes meanwhile
  if (waiting) return;
  waiting = true;
  loads = loads.then(load).catch(console.warn);
};
search.oninput = filter;
list.onanimationend = (event) => { event.target.className = ''; };
for (const button of counts) button.onclick = () => { only = button.value; filter(); };
find('clear').onclick = () => act('DELETE', 'faults');
find('reset').onclick = () => { find('ask').open = false; act('POST', 'reset'); };
find('inject').onsubmit = (event) => {
  event.preventDefault();
  act('POST', 'faults', JSON.stringify({ [target.value]: example.value || sequence.value }));
};
document.onkeydown = (event) => {
  if (event.key !== '/' || event.target.closest('input, select')) return;
  event.preventDefault();
  search.focus();
};
