import { setTimeout as wait } from 'node:timers/promises';
import type { Actor } from '../../playground/act-as.ts';
import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { Message } from '../../playground/slack/protocol.ts';

/** A command without a request to the service, and one with. */
const commands = [
  { text: '/belay help', answer: /\/belay alerts/ },
  { text: '/belay users storm-nobody', answer: /storm-nobody/ },
];

const timeoutMs = 30_000;

/** Sends commands one after the other, evenly spread; resolves to the time of each answer in ms. */
export async function timeCommands(
  slack: LocalSlack,
  person: Actor,
  { channel, count, forMs }: { channel: string; count: number; forMs: number },
): Promise<number[]> {
  const begun = performance.now();
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const pause = begun + (index * forMs) / count - performance.now();
    if (pause > 0) await wait(pause);
    const command = commands[index % commands.length];
    if (command) times.push(await timeCommand(command));
  }
  return times;

  async function timeCommand({ text, answer }: { text: string; answer: RegExp }): Promise<number> {
    const typed = performance.now();
    const [, shown] = await Promise.all([person.send(channel, text), answered(answer)]);
    const took = shown.at - typed;
    const { channelId, messageTs } = shown.message;
    await slack.perform(person.slackUserId, { type: 'dismiss', channelId, messageTs });
    return took;
  }

  function answered(answer: RegExp): Promise<{ message: Message; at: number }> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        unsubscribe();
        reject(new Error(`no answer with ${answer} within ${timeoutMs} ms`));
      }, timeoutMs);
      const unsubscribe = slack.subscribe(() => {
        const message = person
          .snapshot()
          .conversations.find(({ name }) => name === channel)
          ?.messages.findLast((one) => one.isEphemeral && isAnswer(one, answer));
        if (!message) return;
        clearTimeout(timer);
        unsubscribe();
        resolve({ message, at: performance.now() });
      });
    });
  }
}

function isAnswer({ text, blocks }: Message, answer: RegExp): boolean {
  return answer.test(`${text} ${JSON.stringify(blocks ?? [])}`);
}
