import type { Reading } from '../../slack/interactions/subcommand.ts';
import { type Verb, verbs } from './grammar.ts';
import { dropFirst, keyOf, line, lower, unquoted } from './words.ts';

export const noPolicyEnd = "Belay can't disable or delete policies.";

/** `policies gold`, `policies create`, `policies edit Gold` */
export function readPolicies(rest: string[]): Reading {
  const [first = '', ...others] = rest;
  const verb = keyOf(verbs, first);
  const isAlone = others.length === 0;
  if (isAlone && historyWords.includes(lower(first))) return line('policies changes');
  if (isAlone && verb) return combinePolicies(verb);
  // For services that don't list their policies.
  if (['add', 'remove'].includes(lower(first))) return line('policies', rest);
  if (verb === 'edit' || (!isAlone && isAfterName(rest.at(-1) ?? ''))) return readPolicy(rest);
  const searched = dropFirst(verb === 'list' ? others : rest, ['all']);
  // The handler reads the quotation marks: "Create" may be a name.
  return line('policies', searched);
}

function combinePolicies(verb: Verb): Reading {
  if (verb === 'new') return line('policies create');
  return verb === 'end' ? { why: noPolicyEnd, choices: ['policies'] } : line('policies');
}

/** `create policy`, `edit policy Gold`, `list policies` */
export function readVerbAndPolicy(verb: Verb, typed: string, rest: string[]): Reading {
  const name = rest.join(' ');
  if (name === '') return combinePolicies(verb);
  if (verb === 'end') return { why: noPolicyEnd, choices: [`policy ${name}`] };
  if (verb === 'new') {
    return {
      why: 'What do you want to add?',
      choices: ['policies create', `policies add ${name}`],
    };
  }
  return lower(typed) === 'policy' || verb === 'edit' ? readPolicy(rest) : readPolicies(rest);
}

const historyWords = ['history', 'changes'];

function isAfterName(word: string): boolean {
  return ['edit', 'show', 'view', 'details', ...historyWords].includes(lower(word));
}

/** `policy Gold`, `policy edit Gold`, `policy Gold history` */
export function readPolicy(rest: string[]): Reading {
  const [first = '', ...others] = rest;
  const last = lower(rest.at(-1) ?? '');
  if (others.length === 0) {
    const verb = keyOf(verbs, first);
    if (first === '') return line('policies');
    if (historyWords.includes(lower(first))) return line('policies changes');
    return verb ? combinePolicies(verb) : line('policy', rest);
  }
  if (['edit', 'show', 'view', 'change'].includes(lower(first))) {
    return line('policy', others);
  }
  const name = rest.slice(0, -1);
  if (last === 'history') return line('policy', rest);
  if (last === 'changes') {
    const why = 'Is “changes” part of the name?';
    return { why, choices: [['policy', ...name, 'history'].join(' '), `policy ${rest.join(' ')}`] };
  }
  if (lower(first) === 'remove' || lower(first) === 'delete') {
    return { why: noPolicyEnd, choices: [`policy ${others.join(' ')}`] };
  }
  return line('policy', isAfterName(last) ? name : rest);
}

/** The name in `compliance policy:gold` and `compliance for gold`. */
export function policyName(rest: string[]): string[] {
  const [first = '', ...others] = dropFirst(rest, ['all', 'of', 'for']);
  const named = /^policy[:=](.*)$/i.exec(first);
  if (named) return unquoted([named[1] ?? '', ...others].filter(Boolean));
  if (lower(first) === 'policy' && others.length > 0) return unquoted(others);
  return unquoted([first, ...others].filter(Boolean));
}
