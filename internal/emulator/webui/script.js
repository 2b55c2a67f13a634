'use strict';

const find = (id) => document.getElementById(id);
const [list, search, counts] = [find('list'), find('search'), [...find('counts').children]];
const { target, example, sequence } = find('inject').elements;
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit',
  second: '2-digit', fractionalSecondDigits: 3, timeZoneName: 'short' });

let entries = new Map(); // by time of arrival, oldest first
let only = ''; // the outcome to list; empty: all
let loaded = false;
let loading = false;
let changed = false; // since the last load began
let events; // the stream that says that something has changed
let retry; // the timer of the next load after a failed one

// text creates an element. Nothing else adds untrusted text to the document.
function text(name, className, content) {
  const node = document.createElement(name);
  node.className = className;
  node.dir = 'auto';
  node.textContent = content;
  return node;
}

// outcomesOf returns what the emulator did, not what a client may conclude; nothing while a request
// is pending. As in the summary, each submission is accepted, repeated or not accepted.
function outcomesOf({ target, status, reason, fault, notification_id, repetition_of }) {
  const outcomes = [];
  if (!status && !reason) return outcomes;
  if (notification_id) outcomes.push('accepted');
  else if (repetition_of) outcomes.push('repeated');
  else if (target === 'submission') outcomes.push('refused');
  else if (status && reason) outcomes.push('rejected');
  else if (status) outcomes.push(target === 'token' ? 'tokens' : 'lookups');
  if (!status || fault === 'truncate') outcomes.push('broken');
  return outcomes;
}

function badgesOf(outcomes, status) {
  const badges = text('span', 'badges ' + (outcomes[0] ?? ''), '');
  const words = { refused: 'not accepted', broken: 'no whole response', lookups: 'lookup',
    tokens: 'token' };
  if (!outcomes.length) badges.append(text('span', 'badge', 'no response yet'));
  for (const outcome of outcomes) {
    const before = status && !['broken', 'lookups', 'tokens'].includes(outcome) ? status + ' ' : '';
    badges.append(text('span', 'badge ' + outcome, before + (words[outcome] ?? outcome)), ' ');
  }
  return badges;
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
  const badges = badgesOf(entry.outcomes, status);
  const at = new Date(request.time);
  const today = at.toDateString() === new Date().toDateString();
  const time = (today ? '' : at.toLocaleDateString('sv') + ' ') + clock.format(at);
  entry.summary.replaceChildren(badges, text('span', 'subject', entry.title),
    text('time', '', time), about);
  entry.searched = [badges.textContent, entry.title, time, entry.body, parts, lines, entry.facts]
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

// ask returns the JSON of a response, if it has any. A proxy may respond with anything, or hang.
async function ask(path, options) {
  const response = await fetch('/_emulator/' + path,
    { ...options, signal: AbortSignal.timeout(10000) });
  const answer = response.status === 204 ? undefined : await response.json();
  if (!response.ok) throw new Error('', { cause: answer?.detail });
  return answer;
}

async function load() {
  const faults = Object.entries(await ask('faults'));
  if (!target.length) {
    target.append(...faults.map(([name]) => new Option(name, name, false, name === 'submission')));
  }
  find('faults').replaceChildren(...faults.flatMap(([target, sequence]) =>
    [text('dt', '', target), text('dd', sequence ? '' : 'none', sequence || 'none')]));
  show(await ask('ledger'));
}

async function refresh() { // one load at a time, then one more for all changes meanwhile
  changed = true;
  if (loading) return;
  loading = true;
  while (changed) {
    changed = false;
    await load().then(() => report(events.readyState === EventSource.OPEN), () => {
      report(false);
      clearTimeout(retry);
      retry = setTimeout(refresh, 2000);
    });
  }
  loading = false;
}

function report(isLive) {
  find('connection').className = isLive ? 'live' : '';
  find('connection').textContent = isLive ? 'live' : 'not live';
  find('offline').textContent =
    isLive ? '' : 'The emulator does not respond: this list may be out of date.';
}

function listen() {
  events = new EventSource('/_emulator/events');
  events.onmessage = refresh;
  events.onopen = () => {
    report(true);
    find('outcome').textContent = ''; // what it says is over
  };
  events.onerror = () => {
    report(false);
    // A browser reconnects by itself, except after an error status, such as a proxy's 502.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 2000);
  };
}

async function act(method, path, body) {
  const problem = await ask(path, { method, body })
    .then(() => '', ({ cause }) => cause ?? 'The emulator does not respond.');
  find('outcome').className = problem && 'problem';
  find('outcome').textContent = problem || 'Done.';
}

find('origin').textContent = location.origin;
listen();
search.oninput = filter;
list.onanimationend = (event) => { event.target.className = ''; };
for (const button of counts) button.onclick = () => { only = button.value; filter(); };
find('to-faults').onclick = () => {
  if (find('open').checkVisibility()) find('tools').showPopover();
};
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
