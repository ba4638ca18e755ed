import type { ConversationsSelect, PlainTextElement, PlainTextOption } from '@slack/types';
import type { Person } from '../../slack/protocol.ts';
import { plainText } from '../mrkdwn/text-object.tsx';
import type { Place } from '../workspace-context.ts';

export type Choice = { value: string; text: string };
export type ChoiceGroup = { label: string | undefined; choices: Choice[] };

type WithOptions = {
  options?: PlainTextOption[];
  option_groups?: { label: PlainTextElement; options: PlainTextOption[] }[];
};

export function optionChoices({ options, option_groups: groups }: WithOptions): ChoiceGroup[] {
  const choices = (list: PlainTextOption[]) =>
    list.map(({ text, value = '' }) => ({ value, text: plainText(text) }));
  if (!groups) return [{ label: undefined, choices: choices(options ?? []) }];
  return groups.map((group) => ({
    label: plainText(group.label),
    choices: choices(group.options),
  }));
}

export function userChoices(people: Person[]): ChoiceGroup[] {
  const active = people.filter(({ isDeactivated }) => !isDeactivated);
  return ungrouped(
    active.map(({ slackUserId, realName }) => ({ value: slackUserId, text: realName })),
  );
}

export function channelChoices(places: Place[]): ChoiceGroup[] {
  return conversationChoices(places.filter(({ kind }) => kind === 'channel'));
}

/** Kinds in Slack's filter. Every channel of the local Slack is public. */
const filterNames = { channel: 'public', direct: 'im' } as const;

/** A filter's `include` leaves out the kinds of conversation that it does not list. */
export function conversationChoices(
  places: Place[],
  filter?: ConversationsSelect['filter'],
): ChoiceGroup[] {
  const include = filter?.include;
  const allowed = include
    ? places.filter(({ kind }) => include.includes(filterNames[kind]))
    : places;
  return ungrouped(
    allowed.map(({ channelId, kind, name }) => ({
      value: channelId,
      text: kind === 'channel' ? `#${name}` : name,
    })),
  );
}

function ungrouped(choices: Choice[]): ChoiceGroup[] {
  return [{ label: undefined, choices }];
}
