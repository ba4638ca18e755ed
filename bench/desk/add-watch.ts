import type { Actor } from '../../playground/act-as.ts';

/** The channel watches its word. */
export async function addWatch(
  person: Actor,
  { channelId, name, word }: { channelId: string; name: string; word: string },
): Promise<void> {
  await person.send(name, `/belay watch "${word}"`);
  await person.see(
    ({ conversations }) =>
      conversations
        .find((one) => one.channelId === channelId)
        ?.messages.find(({ text }) => text.includes('Watch added')),
    `the watch of ${name}`,
  );
}
