import { actAs } from '../../../../playground/act-as.ts';
import type { Random } from '../../../../playground/service/data/random.ts';
import { placedElements } from '../../../../playground/slack/elements.ts';
import type { Container, Gesture, Message } from '../../../../playground/slack/protocol.ts';
import type { Carried } from './carried-values.ts';
import { fillForm, valueFor } from './fill-form.ts';
import type { IsolationWorld, Site } from './open-world.ts';
import { raiseAlert } from './tenants.ts';

type StepKind = 'command' | 'click' | 'submit' | 'close' | 'message' | 'service' | 'foreign';

const kinds: readonly [StepKind, number][] = [
  ['command', 0.32],
  ['click', 0.3],
  ['submit', 0.2],
  ['close', 0.03],
  ['message', 0.03],
  ['service', 0.06],
  ['foreign', 0.06],
];

/** One random step of one person in one workspace. Resolves to its kind. */
export async function takeStep(
  world: IsolationWorld,
  { random, carried }: { random: Random; carried: Carried },
): Promise<StepKind> {
  const { slack, sites, replicas } = world;
  const site = random.pick(sites);
  const person = site && random.pick(site.people);
  const replica = random.pick(replicas);
  if (!site || !person || !replica) throw new Error('the world is empty');
  const { slackUserId } = person;
  const local = slack.workspace(site.workspace.teamId);
  // The local Slack looks for the address as it delivers, before `perform` returns.
  const perform = (gesture: Gesture) => {
    slack.connectApp(replica.requestUrl);
    return local.perform(slackUserId, gesture);
  };
  const kind = pickKind(random);
  const { conversations, views } = actAs(local, slackUserId).snapshot();
  const top = views.at(-1);
  const channel = random.pick(conversations);
  if (kind === 'service') {
    changeService(site, random);
  } else if (kind === 'foreign') {
    slack.connectApp(replica.requestUrl);
    await carried.send(site, slackUserId, random);
  } else if (kind === 'submit' && top) {
    await perform({ type: 'submit', viewId: top.viewId, values: fillForm(top, site, random) });
  } else if (kind === 'close' && top) {
    await perform({ type: 'close', viewId: top.viewId, all: true });
  } else if (kind === 'message' && channel) {
    const text = channel.kind === 'direct' ? 'hello' : '@belay hello';
    await perform({ type: 'send', channelId: channel.channelId, text });
  } else if (kind === 'click') {
    const messages = conversations.flatMap((one) => one.messages).slice(-40);
    const gesture = pickElement({ messages, top }, site, random);
    if (gesture) await perform(gesture);
  } else if (channel) {
    const text = `/belay ${pickCommand(site, random)}`;
    await perform({ type: 'send', channelId: channel.channelId, text });
    return 'command';
  }
  return kind;
}

function pickKind(random: Random): StepKind {
  let left = random.fraction();
  for (const [kind, share] of kinds) {
    left -= share;
    if (left < 0) return kind;
  }
  return 'command';
}

function pickCommand({ tenant, people }: Site, random: Random): string {
  const { service, portal, word } = tenant;
  const user = random.pick(service.users(portal.id))?.email ?? '';
  const policy = random.pick(service.policies(portal.id))?.name ?? '';
  const colleague = random.pick(people)?.name ?? '';
  return random.pick([
    '',
    ...['help', 'alerts', `alerts ${word}`, 'alerts severity:error', 'doctor', 'setup', 'audit'],
    ...['compliance', `compliance ${policy}`, 'policies', `policy ${policy}`, 'requests'],
    ...[`users ${word}`, `users ${user}`, `disable ${user}`, `enable ${user}`, `rename ${user}`],
    ...[`delete ${user}`, `audit by:@${colleague}`, 'digest', 'digest new', 'watch', 'watch all'],
    ...['watch severity:error', 'watch policies', `watch compliance ${policy} above 0`],
  ]);
}

/** A button or menu of a message or of the dialog, with what else is entered there. */
function pickElement(
  { messages, top }: { messages: Message[]; top: Parameters<typeof fillForm>[0] | undefined },
  site: Site,
  random: Random,
): Gesture | undefined {
  const where: { container: Container; blocks: Message['blocks'] }[] =
    top && random.chance(0.6)
      ? [{ container: { kind: 'view', viewId: top.viewId }, blocks: top.blocks }]
      : messages.map(({ channelId, messageTs, blocks }) => ({
          ...{ container: { kind: 'message', channelId, messageTs }, blocks },
        }));
  const choices = where.flatMap(({ container, blocks = [] }) =>
    placedElements(blocks)
      .filter(({ input }) => !input || input.dispatch_action === true)
      .map((placed) => ({ container, placed })),
  );
  const chosen = random.pick(choices);
  if (!chosen) return undefined;
  const { container, placed } = chosen;
  const { blockId, actionId } = placed;
  const value = valueFor(placed, site, random);
  return {
    ...{ type: 'act', container, blockId, actionId, confirmed: true },
    ...(value === undefined ? {} : { value }),
    ...(container.kind === 'view' && top ? { values: fillForm(top, site, random) } : {}),
  };
}

/** A new alert, or other figures of a policy, for the watches and digests of the workspace. */
function changeService({ tenant }: Site, random: Random): void {
  if (random.chance(0.6)) {
    raiseAlert(tenant, random.uuid());
    return;
  }
  const policy = random.pick(tenant.service.policies(tenant.portal.id));
  if (!policy) return;
  const count = random.integer(0, 20);
  tenant.service.setCompliance(tenant.portal.id, policy.id, { non_compliant_count: count });
}
