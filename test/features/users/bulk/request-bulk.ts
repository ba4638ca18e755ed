import type { Message, OpenView } from '../../../../playground/slack/protocol.ts';
import { aReason, newMessages } from '../../../support/ask.ts';
import type { World } from '../../../support/world.ts';

/** Enabled users of the service without a named role in other tests: the last ones of the list. */
export function someUsers({ service, portal }: World, count: number) {
  return service
    .users(portal.id)
    .filter(({ is_enabled, email }) => is_enabled && email.endsWith('@example.com'))
    .slice(-count);
}

export const addressesOf = (users: { email: string }[]) =>
  users.map(({ email }) => email).join('\n');

/** Fills in the form for several users until it shows the request. */
export async function reviewBulk(
  { ana }: World,
  verb: 'disable' | 'enable' | 'delete',
  text: string,
): Promise<OpenView> {
  await ana.send('ops', `/belay bulk ${verb}`);
  const form = await ana.seeDialog('Enter or paste');
  await ana.submit(form, { users: { input: text } });
  return ana.seeDialog('Visible to everyone who can see');
}

/** Ana requests it; resolves to the request as the channel sees it. */
export async function requestBulk(
  world: World,
  verb: 'disable' | 'enable' | 'delete',
  users: { email: string }[],
): Promise<Message> {
  const { ana } = world;
  const seeNew = newMessages(ana);
  const review = await reviewBulk(world, verb, addressesOf(users));
  await ana.submit(review, {
    reason: { input: aReason },
    ...(verb === 'delete' && { count: { input: String(users.length) } }),
  });
  return seeNew('Waiting for');
}
