import { z } from 'zod';
import type { Actor } from '../../playground/act-as.ts';
import type { FormValues, Message, OpenView } from '../../playground/slack/protocol.ts';

export const aReason = 'Left the company on Friday';

/** Types the command and fills in the form that opens; what the reason leaves open is in `more`. */
export async function fillForm(
  person: Actor,
  command: string,
  more: FormValues = {},
): Promise<OpenView> {
  await person.send('ops', command);
  const opened = await person.seeDialog(/Reason|Request anyway/);
  // An earlier test has left a request for the same change open.
  if (buttonTexts(opened).includes('Request anyway…'))
    await person.press(opened, 'Request anyway…');
  const form = await person.seeDialog('Reason');
  await person.submit(form, { reason: { input: aReason }, ...more });
  return form;
}

/** Asks for something that needs approval; resolves to the request as the channel sees it. */
export async function ask(person: Actor, command: string, more?: FormValues): Promise<Message> {
  const seeNew = newMessages(person);
  await fillForm(person, command, more);
  await seeNew('Request sent to');
  return seeNew('Waiting for approval.');
}

/** Withdraws the request, which its requester finds in the list of their own. */
export async function withdraw(requester: Actor, request: Message): Promise<void> {
  const [id] = /[0-9a-f-]{36}(?=\\")/.exec(JSON.stringify(request.blocks)) ?? [];
  if (!id) throw new Error('the message is about no request');
  await requester.send('ops', '/belay requests mine');
  const found = await requester.see(() => {
    const rows = messagesOf(requester).flatMap(({ blocks = [], ...one }) =>
      blocks
        .filter((block) => buttonTexts({ blocks: [block] }).includes('Withdraw'))
        .filter((block) => JSON.stringify(block).includes(id))
        .map((block) => ({ ...one, blocks: [block] })),
    );
    return rows.at(-1);
  }, `the button that withdraws request ${id}`);
  await requester.press(found, 'Withdraw');
}

/** The same message as it is now, once it says `text`. */
export function seeAgain(person: Actor, before: Message, text: string | RegExp): Promise<Message> {
  return person.see(({ conversations }) => {
    const now = conversations
      .flatMap(({ messages }) => messages)
      .find(({ messageTs }) => messageTs === before.messageTs);
    if (!now) return undefined;
    const isThere = typeof text === 'string' ? now.text.includes(text) : text.test(now.text);
    return isThere ? now : undefined;
  }, `the request with ${text}`);
}

/**
 * The requester's last news of so many requests. It is the last thing Belay does about a request, so a
 * test that ends with it leaves nothing behind for the next one in a shared world.
 */
export function heardBack(requester: Actor, count = 1): Promise<Message> {
  const isNews = ({ text }: Message) => text.includes('Your request to ');
  return requester.see(
    () => messagesOf(requester).filter(isNews)[count - 1],
    'what became of the request',
  );
}

/** The messages that this person sees, oldest first within a conversation. */
export function messagesOf(person: Actor): Message[] {
  return person.snapshot().conversations.flatMap(({ messages }) => messages);
}

/** Returns a function that waits for a message with this text, or such a one, that isn't there yet. */
export function newMessages(person: Actor) {
  const known = new Set(messagesOf(person).map(({ messageTs }) => messageTs));
  return (wanted: string | ((message: Message) => boolean | undefined)): Promise<Message> => {
    const isWanted =
      typeof wanted === 'string' ? ({ text }: Message) => text.includes(wanted) : wanted;
    return person.see(
      () => messagesOf(person).find((one) => !known.has(one.messageTs) && isWanted(one)),
      `a new message with ${wanted}`,
    );
  };
}

/** What can be pressed, by its text: buttons, and the options of overflow menus. */
export function buttonTexts({
  blocks = [],
}: {
  blocks?: (Message | OpenView)['blocks'] | undefined;
}): string[] {
  const textOf = (
    element: { type: string; text?: unknown; options?: unknown } | undefined,
  ): string[] => {
    if (element?.type === 'overflow') return menuTexts.parse(element.options);
    return element?.type === 'button' ? [buttonText.parse(element.text).text] : [];
  };
  return blocks.flatMap((block) => {
    if (block.type === 'actions') return block.elements.flatMap(textOf);
    return block.type === 'section' ? textOf(block.accessory) : [];
  });
}

const buttonText = z.looseObject({ text: z.string() });
const menuTexts = z.array(z.object({ text: buttonText }).transform(({ text }) => text.text));
