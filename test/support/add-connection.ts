import type { Message } from '../../playground/slack/protocol.ts';
import { newMessages, seeAgain } from './ask.ts';
import type { World } from './world.ts';

/** Cleo adds the connection `east`, which Ben approves. */
export async function addEast({ cleo, ben, service }: World): Promise<void> {
  const { portals } = service;
  const [, east] = portals;
  if (!east) throw new Error('the reference service has one portal');
  await addConnection({ cleo, ben }, { name: 'east', region: east.id, token: east.token });
}

/** An admin, here Cleo, adds a connection, which an approver approves, here Ben. */
export async function addConnection(
  { cleo, ben }: Pick<World, 'cleo' | 'ben'>,
  { name, region, token }: { name: string; region: string; token: string },
): Promise<void> {
  await cleo.send('ops', '/belay connection');
  await cleo.press(await cleo.seeMessage('used in this channel'), 'Add connection');
  await cleo.submit(await cleo.seeDialog('people add on:europe'), {
    name: { input: name },
    regionId: { input: region },
    token: { input: token },
  });
  await confirmChange({ cleo, ben });
}

/** Requests what the review shows, and approves it. */
export async function confirmChange({ cleo, ben }: Pick<World, 'cleo' | 'ben'>): Promise<Message> {
  const seeNew = newMessages(cleo);
  const review = await cleo.seeDialog('A second person must approve these changes.');
  await cleo.submit(review, { reason: { input: 'A second region' } });
  const sent = await cleo.seeDialog('Request sent to');
  const request = await seeNew('Waiting for approval.');
  await ben.press(request, 'Approve');
  const done = await seeAgain(cleo, request, 'The setup was changed.');
  await cleo.close(sent);
  return done;
}
