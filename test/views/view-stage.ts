import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { paths } from '../../playground/slack/protocol.ts';
import { snapshotFor } from '../../playground/slack/snapshot.ts';
import { createState } from '../../playground/slack/state.ts';
import { createWorkspace } from '../../playground/slack/workspace.ts';
import { builtPage } from '../browser/built-page.ts';
import { channelId, people, sampleNow } from '../features/sample-place.ts';
import { launchChromium } from '../support/browser.ts';
import { type ListedView, modalSchema } from './list-views.ts';

export type ColorScheme = 'light' | 'dark';
type Look = { width: number; colorScheme: ColorScheme };

export type ViewStage = {
  /** The playground's page as Ana sees it, with nothing in it until `draw`. */
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
  const serve = await builtPage();
  const streams = new Map<string, ServerResponse>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname !== paths.snapshots) return serve(request, response);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify(snapshotOf(undefined, 0))}\n\n`);
    streams.set(searchParams.get('as') ?? '', response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('The server has no port');
  const browser = await launchChromium();
  let drawnCount = 0;

  return {
    async open(look) {
      // The id in the address names the stream of this window.
      const id = `${people.ana}-${streams.size}`;
      const page = await openPage(browser, look, `http://127.0.0.1:${address.port}/?as=${id}#ops`);
      return {
        page,
        async draw(view) {
          drawnCount += 1;
          const snapshot = snapshotOf(view, drawnCount);
          streams.get(id)?.write(`data: ${JSON.stringify(snapshot)}\n\n`);
          await page.waitForFunction(
            (name) => document.title.endsWith(name),
            snapshot.workspaceName,
          );
          await page.setViewportSize({ width: look.width, height: minHeight });
          const missing = await page.evaluate(missingHeight);
          const height = Math.min(minHeight + missing, maxHeight);
          await page.setViewportSize({ width: look.width, height });
        },
      };
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function openPage(
  browser: Browser,
  { width, colorScheme }: Look,
  url: string,
): Promise<Page> {
  const viewport = { width, height: minHeight };
  const context = await browser.newContext({ viewport, colorScheme });
  const page = await context.newPage();
  await page.clock.setFixedTime(sampleNow);
  await page.goto(url);
  await page.getByRole('textbox', { name: 'Message #ops' }).waitFor();
  return page;
}

/** How much of the longest scrolling part is out of sight. */
function missingHeight(): number {
  const parts = [...document.querySelectorAll('[role=log], dialog[open], dialog[open] *')];
  return Math.max(0, ...parts.map((part) => part.scrollHeight - part.clientHeight));
}

/** `count` makes ids, and the title to wait for, new with each view. */
function snapshotOf(shown: ListedView | undefined, count: number) {
  const state = createState(createWorkspace(), () => sampleNow);
  const base = snapshotFor(state, { slackUserId: people.ana, tabId: 'views' });
  const blocks = (shown?.view.blocks ?? []).map((block, index) =>
    typeof block === 'object' ? { block_id: `b${index}`, ...block } : block,
  );
  const modal = modalSchema.safeParse(shown?.view).data;
  const message = {
    ...{ channelId, messageTs: `${sampleNow.getTime() / 1000}.${count}`, blocks },
    ...{ authorId: state.workspace.app.botUserId, authorName: 'Belay', isApp: true },
    ...{ text: '', isEphemeral: false, isEdited: false },
  };
  return {
    ...base,
    workspaceName: `${shown?.name ?? 'empty'} ${count}`,
    conversations: base.conversations.map((one) =>
      one.channelId === channelId && shown && !modal ? { ...one, messages: [message] } : one,
    ),
    views: modal
      ? [
          {
            ...{ viewId: `V${count}`, callbackId: '', errors: {}, isSubmitting: false, blocks },
            ...{ title: textOf(modal.title), submit: textOf(modal.submit) },
            close: textOf(modal.close),
          },
        ]
      : [],
  };
}

function textOf(text: unknown): string | undefined {
  return typeof text === 'object' && text && 'text' in text ? String(text.text) : undefined;
}
