import type { Reading } from '../../slack/interactions/subcommand.ts';
import { line, unquoted } from './words.ts';

/** A question or a phrase that contains no command, and what comes near to it. */
type Phrase = { pattern: RegExp; meant: (name: string, word: string) => Reading };

const timeWords =
  'today|tonight|tomorrow|(?:next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|next week|in \\d+ (?:minutes?|hours?|days?|weeks?)';

const phrases: Phrase[] = [
  {
    pattern: /^who (?<word>approved|denied) (?<name>.+)$/i,
    meant: (name, word) => line('audit', [`event:${word.toLowerCase()}`, `user:"${name}"`]),
  },
  {
    pattern: /^who (?:disabled|enabled|deleted|renamed|requested) (?<name>.+)$/i,
    meant: (name) => line('audit', [`user:"${name}"`]),
  },
  {
    pattern: /^history (?:of |for )?(?<name>.+)$/i,
    meant: (name) => line('policy', [name, 'history']),
  },
  {
    pattern: /^polic(?:y|ies) changes (?:since|from|in|this|last|today|yesterday)\b.*$/i,
    meant: () => line('policies changes'),
  },
  {
    pattern: /^(?:failed backups?|(?:the |our )?backups? (?:that )?failed)$/i,
    meant: () => ({
      why: 'Failed backups appear in alerts and in compliance.',
      choices: ['alerts errors', 'compliance'],
    }),
  },
  {
    pattern: /^(?:(?:are|is) .+ )(?:ok|okay|fine|good|healthy|green|protected|working)$/i,
    meant: () => line(''),
  },
  {
    pattern: /^snooze(?: (?<name>.+))?$/i,
    meant: (filter) => ({
      why: 'To snooze one alert, use *Snooze…* in its message or in the list. To hold all that match a filter, mute them.',
      choices: ['alerts', ['mute', filter].filter(Boolean).join(' ')],
    }),
  },
  {
    pattern: /^requests? (?:of|by|from|for|about) (?<name><@[^>]*>)(?: please)?$/i,
    meant: (name) => line('requests', [name]),
  },
  {
    pattern:
      /^requests? (?:(?:of|by|from|for|about) )?(?<name>(?!<@|(?:of|by|from|for|about) <@)\S+ \S.*)$/i,
    meant: (name) => ({
      why: 'To see the requests of a person, mention them: `/belay requests @person`.',
      choices: ['requests', `audit user:"${name}"`],
    }),
  },
];

/** Undefined for text that is none of these. */
export function readPhrase(text: string): Reading | undefined {
  for (const { pattern, meant } of phrases) {
    const found = pattern.exec(text);
    if (!found) continue;
    const { name = '', word = '' } = found.groups ?? {};
    return meant(unquoted([name]).join(' '), word);
  }
  return undefined;
}

const timeAtEnd = new RegExp(`\\s+(?:(?:on|from|until) )?(?:${timeWords})(?: at \\S+)?$`, 'i');

/** The same without a time at its end, which may also be part of a name; undefined if there is none. */
export function withoutTime(text: string): string | undefined {
  const rest = text.replace(timeAtEnd, '');
  return rest === text ? undefined : rest;
}
