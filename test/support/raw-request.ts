import { z } from 'zod';
import type { RawResponse } from '../../playground/slack/delivery.ts';
import type { LocalSlack } from '../../playground/slack/local-slack.ts';
import type { Message, OpenView } from '../../playground/slack/protocol.ts';
import type { Workspace } from '../../playground/slack/workspace.ts';
import { serve } from './serve.ts';

/*
 * What Slack sends, put together by hand: for people whom Slack's own client would stop, for repeats,
 * and for moments that the wall clock does not show.
 */

let triggers = 0;

/** Opens nothing, and makes each request another one: the same words twice would be refused. */
function freshTrigger(): string {
  triggers += 1;
  return `raw.${triggers}`;
}

type Ends = { slack: LocalSlack; workspace: Workspace };

function base({ workspace }: Ends, slackUserId: string) {
  const team = { id: workspace.teamId, domain: workspace.domain };
  return { team, user: { id: slackUserId, team_id: workspace.teamId }, enterprise: null };
}

function sendPayload({ slack }: Ends, payload: object, at?: Date): Promise<RawResponse> {
  const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
  return slack.sendRaw(at ? { body, timestamp: Math.floor(at.getTime() / 1000) } : { body });
}

/** A click on the button, or the option of a menu, with this text; answers go to `responseUrl`. */
export function clickRaw(
  ends: Ends,
  click: { slackUserId: string; on: Message; button: string; responseUrl: string; at?: Date },
): Promise<RawResponse> {
  const { channelId, messageTs, blocks = [] } = click.on;
  const clickable = blocks.flatMap((block) => {
    if (block.type !== 'actions') return [];
    const { block_id } = block;
    return block.elements.flatMap(
      (one): { text: { text: string }; block_id: string | undefined }[] => {
        if (one.type === 'button') return [{ ...one, block_id }];
        if (one.type !== 'overflow') return [];
        const { type, action_id } = one;
        return one.options.map(({ text, value }) => {
          return { type, action_id, block_id, selected_option: { text, value }, text };
        });
      },
    );
  });
  const button = clickable.find(({ text }) => text.text === click.button);
  if (!button) throw new Error(`no button "${click.button}"`);
  const payload = {
    type: 'block_actions',
    ...base(ends, click.slackUserId),
    container: { type: 'message', message_ts: messageTs, channel_id: channelId },
    channel: { id: channelId, name: 'ops' },
    message: { type: 'message', ts: messageTs },
    response_url: click.responseUrl,
    trigger_id: freshTrigger(),
    actions: [{ ...button, action_ts: '1' }],
  };
  return sendPayload(ends, payload, click.at);
}

export function commandRaw(
  { slack, workspace }: Ends,
  command: { slackUserId: string; text: string; responseUrl: string; name?: string },
): Promise<RawResponse> {
  const body = new URLSearchParams({
    team_id: workspace.teamId,
    channel_id: 'C0OPS00001',
    user_id: command.slackUserId,
    command: command.name ?? '/belay',
    text: command.text,
    response_url: command.responseUrl,
    trigger_id: freshTrigger(),
  });
  return slack.sendRaw({ body: body.toString() });
}

const viewAnswer = z.object({ view: z.looseObject({ id: z.string() }) });

/** A dialog as it is sent; `metadata` takes the place of what the app gave it to carry. */
type RawSubmission = { slackUserId: string; form: OpenView; state: object; metadata?: object };

/** Submits a dialog, whether or not it is still open. */
export function submitRaw(
  ends: Ends,
  { slackUserId, form, state, metadata }: RawSubmission,
): Promise<RawResponse> {
  const view = ends.slack.calls
    .map(({ result }) => viewAnswer.safeParse(result).data?.view)
    .findLast((one) => one?.id === form.viewId);
  if (!view) throw new Error(`the app never drew ${form.viewId}`);
  const payload = {
    type: 'view_submission',
    ...base(ends, slackUserId),
    trigger_id: freshTrigger(),
    view: {
      ...view,
      ...(metadata ? { private_metadata: JSON.stringify(metadata) } : {}),
      state: { values: state },
    },
    response_urls: [],
  };
  return sendPayload(ends, payload);
}

/** Somewhere to send answers to when the local Slack issued no address for them. */
export async function openAnswerBox(): Promise<{ url: string; answer: Promise<string> }> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const url = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    response.end('ok');
    resolve(body);
  });
  return { url, answer: promise };
}
