import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { listen } from '../../../../playground/listen.ts';
import type { Random } from '../../../../playground/service/data/random.ts';
import { decodeValue } from '../../../../src/slack/ui/codec.ts';
import { moreMenuActionId } from '../../../../src/slack/ui/more-menu.ts';
import type { Marks } from './find-foreign.ts';
import type { IsolationWorld, Site } from './open-world.ts';

/** Sends values of buttons and forms that Belay gave to one workspace from another workspace. */
export type Carried = {
  /** Collects the values in content that was sent to a workspace, except those with its word. */
  collect: (site: Site, content: unknown) => void;
  send: (site: Site, slackUserId: string, random: Random) => Promise<void>;
  /** What Belay answered to the workspace that sent them. */
  answers: { teamId: string; content: unknown }[];
  close: () => Promise<void>;
};

const button = z.looseObject({ action_id: z.string(), value: z.string() });
const menu = z.looseObject({
  action_id: z.literal(moreMenuActionId),
  options: z.array(z.looseObject({ value: z.string() })),
});
const form = z.looseObject({ callback_id: z.string(), private_metadata: z.string() });

type Value = { teamId: string; kind: 'button' | 'form'; id: string; value: string };

/** Enough for variety; the newest are most likely still of use. */
const maxKept = 500;

/**
 * A click or a form with the ids of another workspace. Values pass through the client of the person
 * who clicks, so a person of any workspace can send any of them.
 */
export async function carryValues(
  { slack }: Pick<IsolationWorld, 'slack'>,
  marks: Marks,
): Promise<Carried> {
  const kept: Value[] = [];
  const answers: Carried['answers'] = [];
  const responses = createServer(async (request, response) => {
    const teamId = request.url?.slice(1) ?? '';
    answers.push({ teamId, content: await json(request) });
    response.end('ok');
  });
  const { baseUrl, close } = await listen(responses, 0);

  function collect(site: Site, content: unknown): void {
    if (typeof content !== 'object' || content === null) return;
    const { teamId } = site.workspace;
    // Belay quotes what a person typed, so the answer to a value with a planted word would contain it.
    const keep = (kind: Value['kind'], id: string, value: string) => {
      const hasWord = value.toLowerCase().includes(site.tenant.word.toLowerCase());
      if (!hasWord) kept.push({ teamId, kind, id, value });
    };
    const asButton = button.safeParse(content).data;
    if (asButton) keep('button', asButton.action_id, asButton.value);
    for (const { value } of menu.safeParse(content).data?.options ?? []) {
      const [id = '', ...rest] = value.split(' ');
      keep('button', id, rest.join(' '));
    }
    const asForm = form.safeParse(content).data;
    if (asForm) keep('form', asForm.callback_id, asForm.private_metadata);
    if (kept.length > maxKept) kept.splice(0, kept.length - maxKept);
    for (const part of Object.values(content)) collect(site, part);
  }

  async function send(
    { workspace, organization }: Site,
    slackUserId: string,
    random: Random,
  ): Promise<void> {
    const { teamId, domain, app, channels } = workspace;
    const foreign = kept.filter((one) => one.teamId !== teamId);
    const chosen = random.pick(foreign);
    if (!chosen) return;
    const base = {
      team: organization ? null : { id: teamId, domain },
      enterprise: organization ? { id: organization.enterpriseId, name: organization.name } : null,
      is_enterprise_install: organization !== undefined,
      api_app_id: app.appId,
      user: { id: slackUserId, team_id: teamId },
      trigger_id: random.uuid(),
    };
    const channel = { id: channels[0]?.channelId ?? '' };
    const response_url = `${baseUrl}/${teamId}`;
    // A form names the workspace in which it was opened; half of them get another.
    const isUnchanged = chosen.kind === 'form' && random.chance(0.5);
    const value = isUnchanged ? chosen.value : withTeam(chosen.value, teamId, channel.id);
    marks.addKnown(value, teamId);
    // Belay refuses the person, and the audit log of the workspace that the form names says so.
    if (isUnchanged) marks.addKnown(slackUserId, chosen.teamId);
    const payload =
      chosen.kind === 'button'
        ? {
            ...base,
            type: 'block_actions',
            channel,
            response_url,
            actions: [
              { type: 'button', block_id: `team:${teamId}:0`, action_id: chosen.id, value },
            ],
          }
        : {
            ...base,
            type: 'view_submission',
            view: {
              id: `V${random.uuid()}`,
              type: 'modal',
              callback_id: chosen.id,
              private_metadata: value,
              state: { values: {} },
            },
          };
    const ack = await slack.deliver('interactive', payload);
    if (ack.kind === 'acked' && ack.body) answers.push({ teamId, content: ack.body });
  }

  return { collect, send, answers, close };
}

/** The same ids, but as if the form had been opened in this workspace and channel. */
function withTeam(value: string, team: string, channelId: string): string {
  return JSON.stringify({
    ...decodeValue(z.record(z.string(), z.unknown()), value),
    ...(value.includes('"channelId"') ? { channelId } : {}),
    team,
  });
}
