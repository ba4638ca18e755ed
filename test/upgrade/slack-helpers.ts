import { z } from 'zod';
import type { Actor } from '../../playground/act-as.ts';
import type { Message, OpenView } from '../../playground/slack/protocol.ts';
import { messagesOf } from '../support/ask.ts';

const button = z.looseObject({
  type: z.literal('button'),
  text: z.looseObject({ text: z.string() }),
  action_id: z.string(),
});

/** The buttons anywhere in these blocks. */
export function buttonsIn(blocks: unknown): { text: string; actionId: string }[] {
  const found = button.safeParse(blocks).data;
  if (found) return [{ text: found.text.text, actionId: found.action_id }];
  if (typeof blocks !== 'object' || blocks === null) return [];
  return Object.values(blocks).flatMap(buttonsIn);
}

/** Waits for a modal on top that `isIt`. */
export function dialog(person: Actor, isIt: (view: OpenView) => boolean): Promise<OpenView> {
  return person.see(({ views }) => {
    const top = views.at(-1);
    return top && isIt(top) ? top : undefined;
  }, 'the dialog');
}

export async function closeAll(person: Actor): Promise<void> {
  for (let top = person.snapshot().views.at(-1); top; top = person.snapshot().views.at(-1)) {
    await person.close(top);
  }
}

/** Waits for the ephemeral message that appears or changes because of `act`. */
export async function answerTo(person: Actor, act: () => Promise<unknown>): Promise<Message> {
  const before = new Map(messagesOf(person).map(({ messageTs, text }) => [messageTs, text]));
  await act();
  const isNew = ({ messageTs, text, isEphemeral }: Message) =>
    isEphemeral && before.get(messageTs) !== text;
  return person.see(() => messagesOf(person).findLast(isNew), 'an answer');
}
