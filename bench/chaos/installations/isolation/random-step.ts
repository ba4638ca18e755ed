import type { Random } from '../../../../playground/service/data/random.ts';
import { placedElements } from '../../../../playground/slack/elements.ts';
import type {
  Container,
  Gesture,
  HomeView,
  Message,
  OpenView,
  Snapshot,
} from '../../../../playground/slack/protocol.ts';
import type { Carried } from './carried-values.ts';
import { pickCommand } from './commands.ts';
import { fillForm, valueFor } from './fill-form.ts';
import type { IsolationWorld, Site } from './open-world.ts';
import { raiseAlert } from './tenants.ts';

/** How often each kind of step is taken, relative to the others that are possible. */
const shares = [
  ['command', 30],
  ['message', 3],
  ['home', 2],
  ['submit', 40],
  ['close', 10],
  ['click', 30],
  ['service', 6],
  ['foreign', 6],
] as const;
type StepKind = (typeof shares)[number][0];

/** Of each conversation, the newest messages that people click in. */
const clickedMessages = 4;

/** One random step of one person in one workspace. Resolves to its kind. */
export async function takeStep(
  world: IsolationWorld,
  { random, carried }: { random: Random; carried: Carried },
): Promise<StepKind> {
  const { slack, sites, replicas } = world;
  const site = random.pick(sites);
  const replica = random.pick(replicas);
  if (!site || !replica) throw new Error('the world is empty');
  const local = slack.workspace(site.workspace.teamId);
  const person = random.pick(
    site.people.filter(({ slackUserId }) => !isLoading(local.snapshot(slackUserId))),
  );
  if (!person) {
    changeService(site, random);
    return 'service';
  }
  const { slackUserId } = person;
  // The local Slack looks for the address as it delivers, before `perform` returns.
  const perform = (gesture: Gesture) => {
    slack.connectApp(replica.requestUrl);
    return local.perform(slackUserId, gesture);
  };
  const { conversations, views, home } = local.snapshot(slackUserId);
  const top = views.at(-1);
  const kind = pickKind(top, random);
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
  } else if (kind === 'home') {
    await perform({ type: 'open-home' });
  } else if (kind === 'message' && channel) {
    const text = channel.kind === 'direct' ? 'hello' : '@belay hello';
    await perform({ type: 'send', channelId: channel.channelId, text });
  } else if (kind === 'click') {
    const messages = conversations.flatMap((one) => one.messages.slice(-clickedMessages));
    const gesture = pickElement({ messages, top, home: home?.view }, site, random);
    if (gesture) await perform(gesture);
  } else if (channel) {
    const text = `/belay ${pickCommand(site, random)}`;
    await perform({ type: 'send', channelId: channel.channelId, text });
  }
  return kind;
}

/** Whether the person waits for what the dialog will show. */
function isLoading({ views }: Snapshot): boolean {
  const top = views.at(-1);
  if (!top || top.isSubmitting) return top !== undefined;
  return top.submit === undefined && JSON.stringify(top.blocks).includes('…"');
}

/** A dialog covers the conversations until it is closed; nobody types a command behind it. */
function pickKind(top: OpenView | undefined, random: Random): StepKind {
  const isPossible: Record<StepKind, boolean> = {
    command: !top,
    message: !top,
    home: !top,
    submit: top?.submit !== undefined,
    close: top !== undefined,
    click: true,
    service: true,
    foreign: true,
  };
  const possible = shares.filter(([kind]) => isPossible[kind]);
  const kinds = possible.flatMap(([kind, share]) => Array.from({ length: share }, () => kind));
  return random.pick(kinds) ?? 'service';
}

type Visible = {
  messages: Message[];
  /** The dialog in front. */
  top: OpenView | undefined;
  home: HomeView | undefined;
};

/** A button or menu of a message, of the Home tab or of the dialog, with what else is entered there. */
function pickElement(
  { messages, top, home }: Visible,
  site: Site,
  random: Random,
): Gesture | undefined {
  const where: { container: Container; blocks: Message['blocks'] }[] = top
    ? [{ container: { kind: 'view', viewId: top.viewId }, blocks: top.blocks }]
    : [
        ...messages.map(({ channelId, messageTs, blocks }) => ({
          container: { kind: 'message' as const, channelId, messageTs },
          blocks,
        })),
        ...(home
          ? [{ container: { kind: 'view' as const, viewId: home.viewId }, blocks: home.blocks }]
          : []),
      ];
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
  const isInDialog = container.kind === 'view' && container.viewId === top?.viewId;
  return {
    type: 'act',
    container,
    blockId,
    actionId,
    confirmed: true,
    ...(value === undefined ? {} : { value }),
    ...(isInDialog && top ? { values: fillForm(top, site, random) } : {}),
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
