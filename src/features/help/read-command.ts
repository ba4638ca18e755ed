import { isAlertFilter } from '../alerts/index.ts';
import {
  fillers,
  type Noun,
  nouns,
  politeWords,
  shortcuts,
  type UserVerb,
  userVerbs,
  type Verb,
  verbs,
} from './grammar.ts';

/**
 * What a typed line means: the line of the subcommand, or several that it could be. `why` says what the
 * choice is about, as mrkdwn.
 */
export type Reading = { line: string } | { why: string; choices: string[] };

/** Undefined for a first word that nothing begins with. `text` is what follows `/belay`. */
export function readCommand(text: string): Reading | undefined {
  const words = text.trim().split(/\s+/).filter(Boolean);
  const from = words.findIndex((word) => !politeWords.includes(word.toLowerCase()));
  const [first, ...rest] = words.slice(from === -1 ? words.length : from);
  if (first === undefined) return line('');
  // The overview of a connection.
  if (/^on:/i.test(first)) return rest.length === 0 ? line(first) : readWithConnection(first, rest);
  const noun = keyOf(nouns, first);
  if (noun) return readNoun(noun, first, rest);
  const userVerb = keyOf(userVerbs, first);
  if (userVerb) return readUserVerb(userVerb, rest);
  const verb = keyOf(verbs, first);
  if (verb) return readVerb(verb, first, rest);
  if (lower(first) === 'my') return readVerb('list', first, [first, ...rest]);
  const shortcut = Object.hasOwn(shortcuts, lower(first)) ? shortcuts[lower(first)] : undefined;
  // Not "status cleared".
  if (shortcut !== undefined && (shortcut || rest.length === 0)) return line(shortcut);
  if (lower(first) === 'bulk') return readBulk(rest);
  if (lower(first) === 'undo' || lower(first) === 'revert') {
    return { why: undoWhy, choices: ['requests mine', 'help requests'] };
  }
  if (first.includes('@')) return line('users', [first, ...rest]);
  return isAlertFilter([first, ...rest].join(' ')) ? line('alerts', [first, ...rest]) : undefined;
}

const undoWhy =
  'To undo a change, use the button in the message about it, or request the opposite.';

function readWithConnection(on: string, rest: string[]): Reading | undefined {
  const read = readCommand(rest.join(' '));
  return read && 'line' in read ? line(read.line, [on]) : read;
}

/** `digest new`, `policy Gold edit` */
function readNoun(noun: Noun, typed: string, rest: string[]): Reading {
  const [next = '', ...others] = rest;
  const verb = keyOf(verbs, next);
  const isKept = isQuoted(next);
  if (noun === 'users') {
    const { userVerb, others: named } = takeUserVerb(rest);
    if (userVerb) return readUserVerb(userVerb, named);
    // "who is kim lee"
    if (lower(typed).startsWith('who')) return line('users', dropFirst(rest, ['is', 'are']));
  }
  if (noun === 'policies' && lower(typed) === 'policy') return readPolicy(rest);
  if (verb && !isKept) return combine(noun, verb, next, others);
  return combine(noun, 'list', '', rest);
}

/** `new digest`, `show me all alerts` */
function readVerb(verb: Verb, typed: string, rest: string[]): Reading | undefined {
  const from = rest.findIndex((word) => !fillers.includes(lower(word)));
  const after = rest.slice(from === -1 ? rest.length : from);
  const [next, ...others] = after;
  const what = next === undefined ? undefined : keyOf(nouns, next);
  if (what === 'policies' && next && lower(next) === 'policy') {
    return verb === 'list' ? readPolicy(others) : readPolicy([typed, ...others]);
  }
  const isOwn = rest.slice(0, from).some((word) => lower(word) === 'my');
  if (what === 'requests' && verb === 'list' && isOwn) return line('requests mine');
  if (what) return combine(what, verb, typed, others);
  // "unwatch", "stop watching"
  if (['unwatch', 'unsubscribe', 'mute'].includes(lower(typed))) return line('watch');
  const named = after.join(' ');
  if (verb === 'list') {
    if (next === undefined) return line('');
    if (isShortcut(next)) return readCommand(after.join(' '));
    if (isAlertFilter(after.join(' '))) return line('alerts', after);
    return {
      why: 'What are you looking for?',
      choices: [`users ${named}`, `policies ${named}`, `alerts ${named}`],
    };
  }
  if (verb === 'new') {
    return {
      why: 'What do you want to add?',
      choices: ['watch all', 'digest new', 'policies create'],
    };
  }
  if (verb === 'edit') {
    return {
      why: 'What do you want to change?',
      choices: ['watch', 'digest', 'policies', 'setup'],
    };
  }
  return {
    why: 'What do you want to end or remove?',
    choices: ['watch', 'digest', ...(named ? [`delete ${named}`] : [])],
  };
}

/** The line of a noun with a verb, which `typed` was, and what follows both. */
function combine(noun: Noun, verb: Verb, typed: string, rest: string[]): Reading {
  switch (noun) {
    case 'alerts':
      return verb === 'end' && lower(typed) !== 'clear' ? line('watch') : line('alerts', rest);
    case 'watch':
      if (verb === 'new') return line('watch', rest);
      return typed === '' ? line('watch', withWatchNouns(rest)) : line('watch');
    case 'digest':
      if (verb === 'new') return line('digest new');
      return line('digest', typed === '' ? digestWords(rest) : []);
    case 'compliance':
      return line('compliance', policyName(rest));
    case 'policies':
      return combinePolicies(verb, typed, rest);
    case 'users':
      if (verb === 'end') return line('delete', rest);
      if (verb !== 'new') return line('users', dropFirst(rest, ['all', 'list']));
      return { why: "Belay can't add users yet. Add them in the service.", choices: ['users'] };
    case 'requests':
      if (verb === 'new')
        return { why: 'Choose what to request.', choices: ['help users', 'help policies'] };
      return line('requests', verb === 'list' ? requestWords(rest) : ['mine']);
    case 'audit':
      return line('audit', dropFirst(rest, ['log', 'trail', 'all', 'list']));
    case 'connection':
      return line('connection', verb === 'list' && typed === '' ? dropFirst(rest, ['all']) : []);
    case 'away':
      return line('away', verb === 'end' ? ['off'] : rest);
    case 'setup':
    case 'access':
    case 'doctor':
    case 'version':
      return line(
        noun,
        rest.filter((word) => /^on:/i.test(word)),
      );
    default:
      return line(noun, rest);
  }
}

function combinePolicies(verb: Verb, typed: string, rest: string[]): Reading {
  switch (verb) {
    case 'new':
      // `policies add <id>` is for services that don't list their policies.
      return lower(typed) === 'add' && rest.length > 0
        ? line('policies add', rest)
        : line('policies create');
    case 'edit':
      return rest.length > 0 ? readPolicy(rest) : line('policies');
    case 'end':
      if (lower(typed) === 'remove' && rest.length > 0) return line('policies remove', rest);
      return { why: noPolicyEnd, choices: ['policies'] };
    case 'list': {
      const [last = ''] = rest.slice(-1);
      if (rest.length === 1 && historyWords.includes(lower(last))) return line('policies changes');
      const isAboutOne = rest.length > 1 && isAfterName(last);
      return isAboutOne ? readPolicy(rest) : line('policies', dropFirst(rest, ['all']));
    }
  }
}

const noPolicyEnd = "Belay can't disable or delete policies.";
const historyWords = ['history', 'changes'];

function isAfterName(word: string): boolean {
  return ['edit', 'change', 'show', 'view', 'details', ...historyWords].includes(lower(word));
}

/** `policy Gold`, `policy edit Gold`, `policy Gold history` */
function readPolicy(rest: string[]): Reading {
  if (rest.length === 0) return line('policies');
  const [first = '', ...others] = rest;
  const verb = keyOf(verbs, first);
  if (verb === 'new') return combinePolicies(verb, first, others);
  if (verb === 'list' && others.length === 0) return line('policies');
  if (verb && others.length > 0 && verb !== 'end') return readPolicy(others);
  if (verb === 'end' && others.length > 0) {
    return { why: noPolicyEnd, choices: [`policy ${others.join(' ')}`] };
  }
  if (historyWords.includes(lower(first)) && others.length === 0) return line('policies changes');
  const [last = ''] = rest.slice(-1);
  if (others.length === 0 || !isAfterName(last)) return line('policy', rest);
  const name = rest.slice(0, -1);
  return historyWords.includes(lower(last))
    ? line('policy', [...name, 'history'])
    : line('policy', name);
}

/** `disable user kim lee`, but also `delete digest`, which is about no user. */
function readUserVerb(verb: UserVerb, rest: string[]): Reading {
  const [next = '', ...others] = rest;
  const about = keyOf(nouns, next);
  if (about === 'users') {
    return others.length > 0 || verb === 'rename' ? line(verb, others) : line('bulk', [verb]);
  }
  if (others.length === 0 && ['several', 'many', 'bulk'].includes(lower(next))) {
    return line('bulk', [verb]);
  }
  // With more words, the first may be a name.
  if (verb !== 'enable' && (about === 'digest' || about === 'watch')) return line(about);
  if (about === 'alerts' && others.length === 0) return line('watch');
  if (about === 'policies') {
    if (verb === 'rename') return readPolicy(others);
    return { why: noPolicyEnd, choices: [['policy', ...others].join(' ')] };
  }
  return line(verb, rest);
}

/** `users disable ana`, `user kim lee disable` */
function takeUserVerb(rest: string[]): { userVerb?: UserVerb; others: string[] } {
  const [first = '', ...others] = rest;
  const [last = ''] = rest.slice(-1);
  const leading = keyOf(userVerbs, first);
  if (leading) return { userVerb: leading, others };
  const trailing = rest.length > 1 ? keyOf(userVerbs, last) : undefined;
  return trailing ? { userVerb: trailing, others: rest.slice(0, -1) } : { others: rest };
}

function readBulk(rest: string[]): Reading {
  const [first = '', ...others] = rest;
  const verb = keyOf(userVerbs, first);
  return line('bulk', verb ? [verb, ...others] : rest);
}

/** `watch policy changes`, `watch alerts severity:error` */
function withWatchNouns(rest: string[]): string[] {
  const [first = '', ...others] = rest;
  const isPolicies = keyOf(nouns, first) === 'policies';
  return isPolicies && others.every((word) => historyWords.includes(lower(word)))
    ? ['policies']
    : rest;
}

function digestWords(rest: string[]): string[] {
  const [first = ''] = rest;
  if (['now', 'preview', 'send', 'today', 'run'].includes(lower(first))) return ['now'];
  return dropFirst(rest, ['all', 'list']);
}

function policyName(rest: string[]): string[] {
  const [first = '', ...others] = dropFirst(rest, ['all', 'of', 'for']);
  const named = /^policy[:=](.*)$/i.exec(first);
  if (named) return [named[1] ?? '', ...others].filter(Boolean);
  return lower(first) === 'policy' && others.length > 0
    ? others
    : [first, ...others].filter(Boolean);
}

function requestWords(rest: string[]): string[] {
  const [first = ''] = rest;
  const name = lower(first);
  if (['pending', 'approve', 'todo', 'inbox'].includes(name)) return ['waiting'];
  if (['my', 'me', 'own'].includes(name)) return ['mine'];
  return ['open', 'list'].includes(name) ? [] : rest;
}

function dropFirst(rest: string[], words: string[]): string[] {
  const [first = '', ...others] = rest;
  return words.includes(lower(first)) ? others : rest;
}

function line(name: string, rest: string[] = []): Reading {
  return { line: [name, ...rest].filter(Boolean).join(' ') };
}

function keyOf<Key extends string>(
  table: Readonly<Record<Key, readonly string[]>>,
  typed: string,
): Key | undefined {
  for (const key in table) if (table[key].includes(lower(typed))) return key;
  return undefined;
}

const lower = (word: string): string => word.toLowerCase();
const isQuoted = (word: string): boolean => /^["“”]/.test(word);
const isShortcut = (word: string): boolean => Object.hasOwn(shortcuts, lower(word));
