import { people } from '../../playground/people.ts';
import type { Message } from '../../playground/slack/protocol.ts';
import type { RaceSetup } from './open-race.ts';

/** An alert, and its message in each of two channels. */
export type Posted = { alertId: string; copies: Message[] };

/** Of all channels, without those that only one person sees. */
export function readMessages({ testBed: { slack } }: RaceSetup): Message[] {
  return slack
    .snapshot(people.ana)
    .conversations.flatMap(({ messages }) => messages)
    .filter(({ isEphemeral }) => !isEphemeral);
}
