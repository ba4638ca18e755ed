import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { listen } from '../../playground/listen.ts';
import { withIds } from '../../playground/slack/elements.ts';
import { startLocalSlack } from '../../playground/slack/local-slack.ts';
import { isPagePath, type PagePort, servePageApi } from '../../playground/slack/page-api.ts';
import type { Snapshot } from '../../playground/slack/protocol.ts';
import { isMessageBlocks } from '../../playground/slack/validate/message.ts';
import { isModal } from '../../playground/slack/validate/view.ts';
import { createWorkspace } from '../../playground/slack/workspace.ts';
import { builtPage } from '../browser/built-page.ts';
import { channelId, people, sampleNow } from '../features/sample-place.ts';
import { launchChromium } from '../support/browser.ts';
import type { ListedView } from './list-views.ts';

type Look = { width: number; colorScheme: 'light' | 'dark' };

export type ViewStage = {
  /** A window with the playground's page as Ana sees it, empty until `draw`. */
  open: (look: Look) => Promise<ViewPage>;
  close: () => Promise<void>;
};

export type ViewPage = {
  page: Page;
  /** Draws this view alone, and makes the window high enough for it. */
  draw: (view: ListedView) => Promise<void>;
};

const minHeight = 667;
const maxHeight = 6000;

/** The playground's real page, with one view at a time as its whole content. */
export async function createViewStage(): Promise<ViewStage> {
  const page = await builtPage();
  const empty = await emptySnapshot();
  const shown = new Map<string, Snapshot>();
  const listeners = new Set<() => void>();
  const port: PagePort = {
    hasPerson: () => true,
    snapshot: (windowId) => shown.get(windowId) ?? empty,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    perform: async () => ({ result: 'ok' }),
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (isPagePath(url.pathname)) void servePageApi(port, url, request, response);
    else page(request, response);
  });
  const { baseUrl, close } = await listen(server, 0);
  const browser = await launchChromium();
  let windowCount = 0;

  return {
    async open(look) {
      windowCount += 1;
      const windowId = `${people.ana}-${windowCount}`;
      const opened = await openPage(browser, look, `${baseUrl}/?as=${windowId}#ops`);
      let drawnCount = 0;
      return {
        page: opened,
        async draw(view) {
          drawnCount += 1;
          const snapshot = snapshotWith(empty, view, drawnCount);
          shown.set(windowId, snapshot);
          for (const listener of listeners) listener();
          await opened.waitForFunction(
            (name) => document.title.endsWith(name),
            snapshot.workspaceName,
          );
          await fitHeight(opened, look.width);
        },
      };
    },
    async close() {
      await browser.close();
      await close();
    },
  };
}

async function openPage(browser: Browser, { width, colorScheme }: Look, url: string) {
  const viewport = { width, height: minHeight };
  const context = await browser.newContext({ viewport, colorScheme });
  const page = await context.newPage();
  await page.clock.setFixedTime(sampleNow);
  await page.goto(url);
  await page.getByRole('textbox', { name: 'Message #ops' }).waitFor();
  return page;
}

async function fitHeight(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: minHeight });
  const hidden = await page.evaluate(() => {
    const parts = [...document.querySelectorAll('[role=log], dialog[open], dialog[open] *')];
    return Math.max(0, ...parts.map((part) => part.scrollHeight - part.clientHeight));
  });
  await page.setViewportSize({ width, height: Math.min(minHeight + hidden, maxHeight) });
}

/** What Ana sees in a workspace where nothing has happened. */
async function emptySnapshot(): Promise<Snapshot> {
  const slack = await startLocalSlack({ workspace: createWorkspace(), clock: () => sampleNow });
  const snapshot = slack.snapshot(people.ana);
  await slack.close();
  return snapshot;
}

/** `count` makes new, with each view, the ids and the title of the page, which is waited for. */
function snapshotWith(empty: Snapshot, { name, view }: ListedView, count: number): Snapshot {
  const workspaceName = `${name} ${count}`;
  let ids = 0;
  const nextId = () => {
    ids += 1;
    return `id${ids}`;
  };
  if (isModal(view)) {
    const { title, submit, close } = view;
    const open = {
      viewId: `V${count}`,
      callbackId: '',
      errors: {},
      isSubmitting: false,
      title: title.text,
      ...(submit && { submit: submit.text }),
      ...(close && { close: close.text }),
      blocks: withIds(view.blocks, nextId),
    };
    return { ...empty, workspaceName, views: [open] };
  }
  if (!isMessageBlocks(view.blocks)) throw new Error(`Slack would refuse ${name}`);
  const message = {
    channelId,
    messageTs: `${sampleNow.getTime() / 1000}.${count}`,
    authorId: 'U0BELAYBOT',
    authorName: empty.appName,
    isApp: true,
    text: '',
    isEphemeral: false,
    isEdited: false,
    blocks: withIds(view.blocks, nextId),
  };
  const conversations = empty.conversations.map((one) =>
    one.channelId === channelId ? { ...one, messages: [message] } : one,
  );
  return { ...empty, workspaceName, conversations };
}
