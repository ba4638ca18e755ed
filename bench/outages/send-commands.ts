import { setTimeout as wait } from 'node:timers/promises';
import type { Message } from '../../playground/slack/protocol.ts';
import { commandPeople, probePerson } from '../replicas/people.ts';
import { waitFor } from '../replicas/wait-for.ts';
import type { OutagesSetup } from './open-outages.ts';

/** One command and how it ended. */
export type SentCommand = {
  text: string;
  /** The replica that it was sent to. */
  to: string;
  sentAt: number;
  endedAt: number;
  /**
   * `answered` as usual; `failed` if the answer was that something failed; `refused` if Slack told
   * the person that the app did not respond; `unanswered` if nothing arrived.
   */
  result: 'answered' | 'failed' | 'refused' | 'unanswered';
  /** What the person saw. */
  shown?: string;
};

const commands: { text: string; answer: RegExp }[] = [
  { text: '/belay help', answer: /\/belay alerts/ },
  { text: '/belay alerts', answer: /alerts/i },
  // People who aren't auditors are refused after the same checks.
  { text: '/belay audit', answer: /Only auditors/ },
  { text: '/belay compliance', answer: /polic/i },
];

/** Not the approvals channel, nor the one with the watch. */
const commandChannelId = 'C0OPS00001';

const pauseMs = 3000;
/** Longer than an outage, because an answer may arrive when it is over. */
const patienceMs = 75_000;
const probePatienceMs = 5000;
const progress = 'Working on it. One moment…';

/** Sends commands until the signal ends it, each person one at a time, and collects how they ended. */
export async function sendCommands(
  setup: OutagesSetup,
  signal: AbortSignal,
  sent: SentCommand[],
): Promise<void> {
  await Promise.all(
    commandPeople.map(async (person, index) => {
      await wait((index * pauseMs) / commandPeople.length);
      for (let turn = index; !signal.aborted; turn += 1) {
        const command = commands[turn % commands.length];
        if (command) sent.push(await sendCommand(setup, person, command, patienceMs));
        await wait(pauseMs);
      }
    }),
  );
}

/** Sends a command that needs the database, Slack and the service, as somebody who sends nothing else. */
export function sendProbe(setup: OutagesSetup): Promise<SentCommand> {
  const command = { text: '/belay alerts', answer: /alerts/i };
  return sendCommand(setup, probePerson, command, probePatienceMs);
}

async function sendCommand(
  { testBed: { slack }, fleet, random }: OutagesSetup,
  person: string,
  { text, answer }: { text: string; answer: RegExp },
  forMs: number,
): Promise<SentCommand> {
  await dismissAnswers(slack, person);
  const sentAt = Date.now();
  const running = fleet.running();
  const to = random.pick(running);
  const channelId = commandChannelId;
  slack.connectApp(to?.requestUrl ?? '');
  const outcome = await slack.perform(person, { type: 'send', channelId, text });
  const ended = (result: SentCommand['result']) => ({
    text,
    to: to?.name ?? 'none',
    sentAt,
    endedAt: Date.now(),
    result,
  });
  if (outcome.result !== 'ok') return ended('refused');
  let shown: Message | undefined;
  const isAnswered = () => {
    shown = answersTo(slack, person).find((message) => message.text !== progress);
    return shown !== undefined;
  };
  await waitFor(isAnswered, { forMs, everyMs: 100 });
  if (!shown) return ended('unanswered');
  const isUsual = answer.test(JSON.stringify([shown.text, shown.blocks]));
  const isFailure = shown.text.includes('Reference') || !isUsual;
  return { ...ended(isFailure ? 'failed' : 'answered'), shown: shown.text };
}

/** Answers to earlier commands: an interrupted one may still have left a message. */
async function dismissAnswers(slack: OutagesSetup['testBed']['slack'], person: string) {
  for (const { channelId, messageTs } of answersTo(slack, person)) {
    await slack.perform(person, { type: 'dismiss', channelId, messageTs });
  }
}

function answersTo(slack: OutagesSetup['testBed']['slack'], person: string): Message[] {
  return slack
    .snapshot(person)
    .conversations.flatMap(({ messages }) => messages)
    .filter(({ isEphemeral }) => isEphemeral);
}
