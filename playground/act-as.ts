import type { LocalWorkspace } from './slack/local-workspace.ts';
import type {
  Container,
  FormValues,
  Gesture,
  GestureOutcome,
  HomeView,
  Message,
  OpenView,
  Snapshot,
} from './slack/protocol.ts';

/** A local Slack, or one of its workspaces. */
type ActingIn = Pick<LocalWorkspace, 'perform' | 'snapshot' | 'subscribe'>;

/** A person of the local Slack, with methods for what a person can do and see in the page. */
export type Actor = {
  slackUserId: string;
  /** Somebody else in the same workspace. */
  other: (slackUserId: string) => Actor;
  /** Sends a message or a slash command in the channel. */
  send: (channelName: string, text: string) => Promise<GestureOutcome>;
  /**
   * Presses the first button with this text or accessible name, or the option of a menu, and accepts
   * its confirm dialog.
   * `values`: what is in the fields of the dialog by then.
   */
  press: (
    where: Message | OpenView | HomeView,
    buttonText: string,
    values?: FormValues,
  ) => Promise<GestureOutcome>;
  submit: (view: OpenView, values: FormValues) => Promise<GestureOutcome>;
  close: (view: OpenView) => Promise<GestureOutcome>;
  /** Removes a message that only this person sees. */
  dismiss: (message: Pick<Message, 'channelId' | 'messageTs'>) => Promise<GestureOutcome>;
  /** Opens the Home tab of the app. */
  openHome: () => Promise<GestureOutcome>;
  /** Waits until `look` finds something in this person's snapshot. */
  see: <T>(look: (snapshot: Snapshot) => T | undefined, what?: string) => Promise<T>;
  /** Waits for a message whose text or blocks contain `text`. */
  seeMessage: (text: string | RegExp) => Promise<Message>;
  /** Waits for a top dialog whose title, blocks or errors contain `text`. */
  seeDialog: (text: string | RegExp) => Promise<OpenView>;
  /** Waits until the Home tab contains `text`. */
  seeHome: (text: string | RegExp) => Promise<HomeView>;
  snapshot: () => Snapshot;
};

/** For machines that are busy with other things, and for jobs that are retried after a while. */
const patienceMs = 60_000;

/** `tabId` tells the windows of one person apart, each with its own dialogs. */
export function actAs(slack: ActingIn, slackUserId: string, tabId = ''): Actor {
  const snapshot = () => slack.snapshot(slackUserId, tabId);
  const perform = (gesture: Gesture) => slack.perform(slackUserId, gesture, tabId);
  const see: Actor['see'] = (look, what = 'what was waited for') =>
    waitUntil(
      slack,
      () => look(snapshot()),
      () => `${slackUserId} did not see ${what}, but ${lastSeen(snapshot())}`,
    );

  return {
    slackUserId,
    other: (otherUserId) => actAs(slack, otherUserId),
    snapshot,
    see,
    send(channelName, text) {
      const channel = snapshot().conversations.find(({ name }) => name === channelName);
      if (!channel) throw new Error(`no conversation ${channelName}`);
      return perform({ type: 'send', channelId: channel.channelId, text });
    },
    press(where, buttonText, values = {}) {
      const button = findButton(where, buttonText);
      const found = JSON.stringify(where.blocks);
      if (!button) throw new Error(`no button "${buttonText}" in ${found}`);
      const container = containerOf(where);
      return perform({ type: 'act', container, ...button, confirmed: true, values });
    },
    submit: ({ viewId }, values) => perform({ type: 'submit', viewId, values }),
    close: ({ viewId }) => perform({ type: 'close', viewId }),
    dismiss: ({ channelId, messageTs }) => perform({ type: 'dismiss', channelId, messageTs }),
    openHome: () => perform({ type: 'open-home' }),
    seeHome: (text) =>
      see(
        ({ home }) => (home?.view && contains(home.view.blocks, text) ? home.view : undefined),
        `a Home tab with ${text}`,
      ),
    seeMessage: (text) =>
      see(
        ({ conversations }) =>
          conversations
            .flatMap(({ messages }) => messages)
            .findLast((message) => contains([message.text, message.blocks], text)),
        `a message with ${text}`,
      ),
    seeDialog: (text) =>
      see(({ views }) => {
        const top = views.at(-1);
        return top && contains([top.title, top.blocks, top.errors], text) ? top : undefined;
      }, `a dialog with ${text}`),
  };
}

function contains(parts: unknown, text: string | RegExp): boolean {
  const shown = JSON.stringify(parts).replaceAll('\\"', '"').replaceAll('\\n', '\n');
  return typeof text === 'string' ? shown.includes(text) : text.test(shown);
}

function lastSeen({ conversations, views, home }: Snapshot): string {
  const texts = conversations.flatMap(({ messages }) => messages.map(({ text }) => text));
  const dialogs = views.map(({ title }) => title);
  return JSON.stringify({ messages: texts.slice(-3), dialogs, home: home?.view?.blocks });
}

function containerOf(where: Message | OpenView | HomeView): Container {
  if ('viewId' in where) return { kind: 'view', viewId: where.viewId };
  return { kind: 'message', channelId: where.channelId, messageTs: where.messageTs };
}

function findButton({ blocks = [] }: Message | OpenView | HomeView, text: string) {
  for (const block of blocks) {
    const elements =
      block.type === 'actions' ? block.elements : block.type === 'section' ? [block.accessory] : [];
    for (const element of elements) {
      const isMenu = element?.type === 'overflow' || element?.type === 'static_select';
      if (!isMenu && element?.type !== 'button') continue;
      const found = { blockId: block.block_id ?? '', actionId: element.action_id ?? '' };
      if (element.type !== 'button') {
        const option = element.options?.find((one) => one.text.text === text);
        if (option) return { ...found, value: option.value ?? '' };
      } else if ([element.text.text, element.accessibility_label].includes(text)) {
        return found;
      }
    }
  }
  return undefined;
}

async function waitUntil<T>(
  slack: ActingIn,
  look: () => T | undefined,
  complaint: () => string,
): Promise<T> {
  const seen = look();
  if (seen !== undefined) return seen;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      unsubscribe();
      reject(new Error(complaint()));
    }, patienceMs);
    const unsubscribe = slack.subscribe(() => {
      const now = look();
      if (now === undefined) return;
      clearTimeout(timer);
      unsubscribe();
      resolve(now);
    });
  });
}
