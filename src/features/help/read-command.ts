import type { Reading } from '../../slack/interactions/subcommand.ts';
import { isAlertFilter } from '../alerts/index.ts';
import {
  adjectives,
  articles,
  type Noun,
  nouns,
  politeWords,
  shortcuts,
  type UserVerb,
  userVerbs,
  type Verb,
  verbs,
} from './grammar.ts';
import { digestFilter, digestWords, drillWords, requestWords } from './read-arguments.ts';
import { readPhrase, withoutTime } from './read-phrase.ts';
import {
  noPolicyEnd,
  policyName,
  readPolicies,
  readPolicy,
  readVerbAndPolicy,
} from './read-policy.ts';
import {
  cleanEnd,
  cleanFilter,
  countLeading,
  dropFirst,
  dropPolite,
  keyOf,
  line,
  lower,
  unquoted,
} from './words.ts';

/** What is new to a person. */
const sinceLast = 'since:last';
/** Longer text is no command. */
const maxLength = 4000;
const onConnection = /(?<=^|\s)on:(?:"[^"]*"|“[^”]*”|\S+)/gi;

/**
 * What is typed after `/belay`, or written to Belay. Undefined for text that begins with nothing known. A
 * line that is returned is run as it is: what it says isn't read again.
 */
export function readCommand(text: string): Reading | undefined {
  if (text.length > maxLength) return undefined;
  const connections = text.match(onConnection) ?? [];
  const read = readWords(text.replaceAll(onConnection, ' '));
  if (!read || connections.length === 0) return read;
  const on = (line: string) => [line, ...connections].filter(Boolean).join(' ');
  return 'line' in read
    ? { line: on(read.line) }
    : { why: read.why, choices: read.choices.map(on) };
}

function readWords(text: string): Reading | undefined {
  // "any alerts?", but "?" alone asks for help.
  const all = text
    .trim()
    .replace(/(?<=\S)[?!]+$/, '')
    .split(/\s+/)
    .filter(Boolean);
  const words = all.slice(countLeading(all, politeWords));
  const [first, ...rest] = words;
  if (first === undefined) return line('');
  const phrase = readPhrase(words.join(' '));
  if (phrase) return phrase;
  const noun = keyOf(nouns, first);
  if (noun) return readNoun(noun, first, rest);
  if (isUsersInState(words)) return line('users', [first]);
  const isState = ['disabled', 'enabled', 'invited'].includes(lower(first));
  if (isState && !keyOf(nouns, rest[0] ?? '')) return line('users', dropPolite(words));
  const userVerb = keyOf(userVerbs, first);
  if (userVerb || lower(first) === 'bulk') {
    // One name on each line.
    const [, ...named] = text
      .trim()
      .replaceAll(/\s*\n\s*/g, ', ')
      .split(/\s+/)
      .slice(-words.length);
    return userVerb ? readUserVerb(userVerb, named) : readBulk(named);
  }
  const verb = keyOf(verbs, first);
  if (verb) return readVerb(verb, first, rest);
  if (['my', 'any'].includes(lower(first))) return readVerb('list', first, words);
  if (Object.hasOwn(shortcuts, lower(first))) {
    const meant = shortcuts[lower(first)] ?? '';
    const about = keyOf(nouns, rest[0] ?? '');
    const isEnd = ['cancel', 'withdraw'].includes(lower(first)) && rest.length === 1;
    if (isEnd && about) return combine(about, 'end', []);
    // Not "status cleared".
    if (meant || rest.length === 0) return line(meant);
  }
  if (['undo', 'undelete', 'revert'].includes(lower(first))) {
    const why =
      'To undo a change, use the button in the message about it, or request the opposite.';
    return { why, choices: ['requests mine', 'help requests'] };
  }
  const sent = rest.slice(countLeading(rest, articles));
  const tested = keyOf(nouns, sent[0] ?? '');
  if (lower(first) === 'test' && (tested === 'restore' || tested === 'drill')) return line('drill');
  if (lower(first) === 'send' && keyOf(nouns, sent[0] ?? '') === 'digest')
    return line('digest now');
  if (first.includes('@')) return line('users', words);
  return isAlertFilter(cleanFilter(words).join(' '))
    ? line('alerts', cleanFilter(words))
    : undefined;
}

/** `disabled users` */
function isUsersInState([state = '', noun = '', ...others]: string[]): boolean {
  const states = ['disabled', 'enabled', 'active', 'inactive', 'invited'];
  return states.includes(lower(state)) && keyOf(nouns, noun) === 'users' && others.length === 0;
}

/** `digest new`, `policy Gold edit` */
function readNoun(noun: Noun, typed: string, rest: string[]): Reading {
  const [next = '', ...others] = rest;
  const verb = keyOf(verbs, next);
  switch (noun) {
    case 'alerts':
    case 'desk': {
      const isAlone = others.length === 0;
      if (verb && isAlone) return combine(noun, verb, []);
      return line(noun, cleanFilter(verb === 'list' && lower(next) !== 'open' ? others : rest));
    }
    case 'compliance':
      return line('compliance', policyName(dropVolumes(verb === 'list' ? others : rest)));
    case 'policies':
      return lower(typed) === 'policy' ? readPolicy(rest) : readPolicies(rest);
    case 'watch':
      return readWatch(rest);
    case 'mute':
      // The text after it is a filter, and perhaps an end.
      return verb && others.length === 0 ? line('mute') : line('mute', rest);
    case 'users':
      return readUsers(typed, rest);
    case 'invite':
      // `invitations` are those that wait.
      return verb === 'list' || (rest.length === 0 && lower(typed) !== 'invite')
        ? line('users invited')
        : readInvite(rest);
    default:
      return verb ? combine(noun, verb, others) : combine(noun, 'list', rest);
  }
}

/** `new digest`, `show me all alerts` */
function readVerb(verb: Verb, typed: string, rest: string[]): Reading | undefined {
  const named = rest.slice(countLeading(rest, articles));
  const after = rest.slice(countLeading(rest, [...articles, ...adjectives]));
  const [next, ...others] = after;
  const noun = next === undefined ? undefined : keyOf(nouns, next);
  if (noun === 'policies' && next) return readVerbAndPolicy(verb, next, others);
  if (noun === 'requests' && verb === 'list' && rest.some((word) => lower(word) === 'my')) {
    return line('requests mine');
  }
  if (noun === 'watch' && verb === 'new') return readWatch(others);
  // An alert can be cleared in the list.
  if (noun === 'alerts' && lower(typed) === 'clear') return line('alerts', cleanFilter(others));
  if (noun) return combine(noun, verb, others);
  if (['unwatch', 'unsubscribe'].includes(lower(typed))) return line('watch');
  if (lower(typed) === 'unmute') return line('mute');
  if (verb === 'list' && isUsersInState(named)) return line('users', named.slice(0, 1));
  const name = named.join(' ');
  switch (verb) {
    case 'list':
      if (next === undefined) return line('');
      if (Object.hasOwn(shortcuts, lower(next))) return readWords(after.join(' '));
      if (isAlertFilter(cleanFilter(after).join(' '))) return line('alerts', cleanFilter(after));
      return {
        why: 'What are you looking for?',
        choices: [`users ${name}`, `policies ${name}`, `alerts ${name}`],
      };
    case 'new':
      return {
        why: 'What do you want to add?',
        choices: ['watch all', 'digest new', 'policies create'],
      };
    case 'edit':
      return {
        why: 'What do you want to change?',
        choices: ['watch', 'digest', 'policies', 'setup'],
      };
    case 'end': {
      // "can you stop posting" is about nobody.
      const isName = name && !/^(?:it|this|that|\w+ing)\b/i.test(name);
      return {
        why: 'What do you want to end or remove?',
        choices: ['watch', 'digest', ...(isName ? [`delete ${name}`] : [])],
      };
    }
  }
}

/** Before a volume they mean nothing. */
const volumeWords = [...articles, 'volume', 'volumes', 'backup', 'backups', 'of', 'for', 'from'];

/** `noncompliant volumes in gold` */
function dropVolumes(rest: string[]): string[] {
  const from = countLeading(rest, ['volume', 'volumes', 'backups']);
  return from > 0 ? dropFirst(rest.slice(from), ['in', 'of', 'for', 'with']) : rest;
}

/** The line of a noun with a verb, and what follows both. */
function combine(noun: Noun, verb: Verb, rest: string[]): Reading {
  switch (noun) {
    case 'alerts':
      if (verb === 'new' && rest.length === 0) return line('alerts', [sinceLast]);
      return verb === 'end' ? line('watch') : line('alerts', cleanFilter(rest));
    case 'watch':
      return line('watch');
    case 'mute':
      return verb === 'new' ? line('mute', rest) : line('mute');
    case 'digest':
      return verb === 'new'
        ? line('digest new', digestFilter(rest))
        : line('digest', digestWords(rest));
    case 'compliance':
      return line('compliance', policyName(rest));
    case 'policies':
      return readPolicies(rest);
    case 'restore':
      if (keyOf(nouns, rest[0] ?? '') === 'drill') return combine('drill', verb, rest.slice(1));
      return line('restore', rest.slice(countLeading(rest, volumeWords)));
    case 'tasks':
      return line('tasks');
    case 'desk':
      return line('desk', verb === 'new' && rest.length === 0 ? [sinceLast] : cleanFilter(rest));
    case 'drill':
      return verb === 'new' || verb === 'end' ? line('drill') : line('drill', drillWords(rest));
    case 'users':
      return combineUsers(verb, rest);
    case 'invite':
      if (verb === 'end')
        return { why: 'To end an invitation, delete the user.', choices: ['users invited'] };
      return verb === 'new' ? readInvite(rest) : line('users invited');
    case 'requests':
      return verb === 'new'
        ? { why: 'Choose what to request.', choices: ['help users', 'help policies'] }
        : line('requests', verb === 'list' ? requestWords(rest) : ['mine']);
    case 'doctor':
      return line('doctor', rest.includes('all') ? ['all'] : []);
    case 'audit':
      return line('audit', dropFirst(rest, ['log', 'trail', 'all', 'list']));
    case 'connection':
      return line('connection', verb === 'list' ? dropFirst(rest, ['all']) : []);
    case 'away':
      // "off until friday" is no end.
      if (verb === 'end') return line('away', ['off', ...rest]);
      return line('away', rest);
    case 'setup':
    case 'access':
    case 'version':
      return line(noun);
    default:
      return line(noun, rest);
  }
}

/** Words after which nothing that could be watched follows: the list has the buttons to end one. */
const noFilter = [
  ...['pause', 'cancel', 'none', 'nothing', 'status', 'me', 'mine', 'it', 'this', 'out'],
  ...Object.values(userVerbs).flat(),
];

/** `watch errors`, `watch for errors in this channel`, `watch policy changes` */
function readWatch(rest: string[]): Reading {
  const named = rest.slice(countLeading(rest, ['to', 'for', 'on', 'about', 'the', 'my']));
  const text = cleanEnd(named)
    .join(' ')
    .replace(/\s+in (?:this channel|here|#\S+|<#[^>]*>)$/i, '')
    .replace(/\s+here$/i, '');
  const words = text.split(/\s+/).filter(Boolean);
  const [first = '', ...others] = words;
  if (keyOf(nouns, first) === 'help') return line('help watch');
  const verb = keyOf(verbs, first);
  if (verb === 'new') return readWatch(others);
  if (verb || noFilter.includes(lower(first))) return line('watch');
  if (keyOf(nouns, first) === 'digest' && others.length === 0) {
    return { why: 'A digest is no watch.', choices: ['digest', 'watch'] };
  }
  if (keyOf(nouns, first) === 'policies') {
    const name = others.slice(countLeading(others, ['changes', 'history'])).join(' ');
    if (name === '') return line('watch policies');
    // "policies off": every watch is ended in the list.
    if (others.length === 1 && keyOf(verbs, name)) return line('watch');
    const isOne = lower(first) === 'policy' && name === others.join(' ');
    if (isOne) return line('watch', words);
    const why = 'Policy changes are watched for all policies, alerts also for one.';
    return { why, choices: ['watch policies', `watch policy:"${unquoted([name]).join(' ')}"`] };
  }
  return line('watch', words);
}

/** `users ana`, `users disable ana`, `who is kim lee` */
function readUsers(typed: string, rest: string[]): Reading {
  const [next = '', ...others] = rest;
  if (lower(typed).startsWith('who')) {
    return line('users', cleanEnd(dropFirst(rest, ['is', 'are'])));
  }
  const leading = keyOf(userVerbs, next);
  if (leading) return others.length > 0 ? line(leading, others) : line('bulk', [leading]);
  const trailing = rest.at(-1) ?? '';
  const name = rest.slice(0, -1).join(' ');
  if (name && Object.hasOwn(userVerbs, trailing)) {
    const why = `Is “${trailing}” part of the name?`;
    return { why, choices: [`${trailing} ${name}`, `users ${rest.join(' ')}`] };
  }
  const verb = keyOf(verbs, next);
  return verb ? combineUsers(verb, others) : combineUsers('list', rest);
}

function combineUsers(verb: Verb, rest: string[]): Reading {
  if (verb === 'new') {
    return readInvite(rest);
  }
  if (verb !== 'end') return line('users', dropFirst(rest, ['all', 'list']));
  if (rest.length > 0) return line('delete', rest);
  return { why: 'Which users?', choices: ['bulk disable', 'bulk delete', 'users'] };
}

/** `invite user kim@example.com`, `add user kim lee` */
function readInvite(rest: string[]): Reading {
  return line('invite', unquoted(dropPolite(rest.slice(countLeading(rest, beforeInvited)))));
}

const beforeInvited = [...articles, 'new', 'user', 'users', 'person', 'for', 'to'];

/** `disable user kim lee`, but also `delete digest`, which is about no user. */
function readUserVerb(verb: UserVerb, named: string[]): Reading {
  const after = named.slice(countLeading(named, articlesBeforeUsers));
  const [first = '', ...others] = after;
  if (['several', 'many', 'bulk', 'users'].includes(first) && isEndOfNames(others)) {
    return verb === 'rename' ? line('rename') : line('bulk', [verb, ...others]);
  }
  const isUser = ['user', 'users'].includes(first);
  const rest = isUser ? others : after;
  const exact = `${verb} ${rest.join(' ')}`;
  const about = isUser ? undefined : keyOf(nouns, first);
  if (about === 'policies') {
    const policy = ['policy', ...others].join(' ');
    if (verb === 'rename') return readPolicy(others);
    return { why: noPolicyEnd, choices: others.length > 0 ? [policy, exact] : ['policies'] };
  }
  // "Watch Tower" may be a name.
  if (about && about !== 'users') {
    const ended: Reading =
      verb === 'enable' ? combine(about, 'new', []) : combine(about, 'end', []);
    if (others.length === 0) return ended;
    if ('line' in ended) return { why: 'What do you mean?', choices: [exact, ended.line] };
  }
  if (['it', 'this', 'that'].includes(lower(first)) && others.length === 0) {
    return { why: `What do you want to ${verb}?`, choices: [`bulk ${verb}`, 'watch', 'digest'] };
  }
  const now = verb === 'rename' ? undefined : withoutTime(rest.join(' '));
  if (now && !lower(exact).includes(' because ')) {
    const why = "Belay makes a change as soon as it is approved. It can't be scheduled.";
    return { why, choices: [`${verb} ${now}`, exact] };
  }
  // A reason keeps its words, and a name its quotation marks: it may look like a list of names.
  const hasReason = rest.some((word) => lower(word) === 'because');
  return line(verb, hasReason ? rest : dropPolite(rest));
}

const articlesBeforeUsers = ['the', 'my', 'all'];

function isEndOfNames(rest: string[]): boolean {
  return rest.length === 0 || lower(rest[0] ?? '') === 'because';
}

/** `bulk disable`, `bulk disable users ana, ben` */
function readBulk(rest: string[]): Reading {
  const [first = '', ...others] = rest;
  const verb = keyOf(userVerbs, first);
  return line('bulk', verb ? [verb, ...dropFirst(others, ['user', 'users'])] : rest);
}

/** Whether a word after `alerts`, `watch` or `digest new` is read as something else than a filter. */
export function isCommandWord(word: string): boolean {
  return ['alerts', 'watch', 'digest new'].some((command) => {
    const read = readCommand(`${command} ${word}`);
    return !read || !('line' in read) || read.line !== `${command} ${word}`;
  });
}
