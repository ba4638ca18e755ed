import { Pool } from 'undici';
import { parseContent } from '../../playground/slack/content.ts';
import { sign } from '../../playground/slack/delivery.ts';
import type { Workspace, WorkspacePerson } from '../../playground/slack/workspace.ts';
import type { LoadOrder, LoadResult } from './messages.ts';
import type { SlackProxy } from './slack-proxy.ts';

const answerTimeoutMs = 30_000;

export type Sender = {
  proxy: SlackProxy;
  workspace: Workspace;
  /** The next person to send a command: their turns keep everyone below Belay's limit. */
  nextPerson: () => WorkspacePerson;
};

/**
 * Sends signed slash commands and measures each from the start of the request: until it was
 * acknowledged, and until its answer had arrived.
 * @throws if a command is refused, or not answered, or with something else than expected
 */
export async function sendLoad(sender: Sender, order: LoadOrder): Promise<LoadResult> {
  const { requestUrl, count, atOnce, expected } = order;
  const url = new URL(requestUrl);
  const app = new Pool(url.origin, { connections: atOnce });
  const ackMs: number[] = [];
  const answerMs: number[] = [];
  let sent = 0;
  let answer = '';

  async function sendOne(): Promise<void> {
    let answered: (body: string) => void = () => undefined;
    let startedAt = 0;
    const arrived = new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('no answer arrived')), answerTimeoutMs);
      answered = (body) => {
        answerMs.push(performance.now() - startedAt);
        clearTimeout(timer);
        resolve(body);
      };
    });
    // The request may fail first; the loop below then reports that.
    arrived.catch(() => undefined);
    const body = formOf(sender, order.typed, sender.proxy.issueUrl(answered));
    startedAt = performance.now();
    const timestamp = Math.floor(Date.now() / 1000);
    const response = await app.request({
      method: 'POST',
      path: url.pathname,
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': String(timestamp),
        'x-slack-signature': sign(sender.workspace.app.signingSecret, timestamp, body),
      },
    });
    await response.body.dump();
    ackMs.push(performance.now() - startedAt);
    if (response.statusCode !== 200) throw new Error(`a command got ${response.statusCode}`);
    answer = await arrived;
    if (!answer.includes(expected)) throw new Error(`an answer was ${answer.slice(0, 500)}`);
  }

  const begunAt = performance.now();
  try {
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (sent < count) {
          sent += 1;
          await sendOne();
        }
      }),
    );
    const perSecond = (count * 1000) / (performance.now() - begunAt);
    const content = parseContent(JSON.parse(answer));
    if (!content.ok) throw new Error(`Slack would refuse an answer: ${content.error}`);
    return { ackMs, answerMs, perSecond, answer };
  } finally {
    await app.destroy();
  }
}

/** https://docs.slack.dev/interactivity/implementing-slash-commands/#app_command_handling */
function formOf({ workspace, nextPerson }: Sender, typed: string, responseUrl: string): string {
  const { slackUserId, name } = nextPerson();
  const [command = '', ...rest] = typed.split(' ');
  return new URLSearchParams({
    token: 'legacy-verification-token',
    team_id: workspace.teamId,
    team_domain: workspace.domain,
    channel_id: 'C0OPS00001',
    channel_name: 'ops',
    user_id: slackUserId,
    user_name: name,
    command,
    text: rest.join(' '),
    api_app_id: workspace.app.appId,
    is_enterprise_install: 'false',
    response_url: responseUrl,
    trigger_id: `13345224609.738474920.${slackUserId}`,
  }).toString();
}
