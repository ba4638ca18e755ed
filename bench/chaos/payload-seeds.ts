import { z } from 'zod';
import { people } from '../../playground/people.ts';
import { everyView } from '../../test/features/every-view.ts';
import { hostileSamples } from '../../test/features/samples.ts';

/**
 * What Slack sends, before it is encoded: the fields of a command, the payload of an interaction, or the
 * JSON of an event.
 */
export type Seed =
  | { command: Record<string, string> }
  | { payload: Record<string, unknown> }
  | { json: Record<string, unknown> };

/** Not a secret, but typed where people type: it must not get into the log either. */
export const canary = 'canary-7d41f0c2';

const team = { id: 'T0HARBOR01', domain: 'harbor' };
const channel = { id: 'C0OPS00001', name: 'ops' };
const element = z.looseObject({ type: z.string(), action_id: z.string() });
const block = z.looseObject({
  type: z.string(),
  block_id: z.string().optional(),
  elements: z.array(z.unknown()).default([]),
});
const shownView = z.looseObject({ callback_id: z.string().optional(), blocks: z.array(block) });

type Shown = z.infer<typeof shownView>;
type Element = z.infer<typeof element>;

/** One for every command, every button and select, and every form of every view of Belay. */
export function payloadSeeds(responseUrl: string): Seed[] {
  const views = Object.values(everyView(hostileSamples(canary)))
    .flat()
    .map((shown) => shownView.parse(shown));
  return [
    ...commandSeeds(responseUrl),
    ...views.flatMap((view) => actionSeeds(view, responseUrl)),
    ...views.flatMap(submissionSeeds),
  ];
}

function commandSeeds(responseUrl: string): Seed[] {
  const words = [
    ...['', 'help', 'alerts', 'alerts severity:error mail', 'watch', 'digest', 'digest new'],
    ...['compliance', 'audit', 'setup', 'users a', 'disable a', 'enable a', 'rename a b'],
    ...[`delete ${canary}`, 'approvals', canary],
  ];
  return words.map((text) => ({
    command: {
      command: '/belay',
      text,
      team_id: team.id,
      channel_id: channel.id,
      user_id: people.ana,
      trigger_id: 'x',
      response_url: responseUrl,
    },
  }));
}

const base = {
  team,
  user: { id: people.ana, team_id: team.id },
  trigger_id: 'x',
  enterprise: null,
};

function actionSeeds(view: Shown, responseUrl: string): Seed[] {
  const container = view.callback_id
    ? { view: viewOf(view) }
    : { channel, message: { ts: '1700000000.000100' }, response_url: responseUrl };
  return view.blocks.flatMap(({ elements, block_id: blockId = 'b', ...rest }) =>
    [...elements, rest.accessory, rest.element].flatMap((candidate) => {
      const parsed = element.safeParse(candidate);
      if (!parsed.success) return [];
      const action = { ...parsed.data, ...chosen(parsed.data), block_id: blockId, action_ts: '1' };
      return [{ payload: { type: 'block_actions', ...base, ...container, actions: [action] } }];
    }),
  );
}

function submissionSeeds(view: Shown): Seed[] {
  if (!view.callback_id) return [];
  return [{ payload: { type: 'view_submission', ...base, view: viewOf(view), response_urls: [] } }];
}

function viewOf(view: Shown): Record<string, unknown> {
  const values = view.blocks.flatMap(({ block_id: blockId = 'b', element: input }) => {
    const parsed = element.safeParse(input);
    if (!parsed.success) return [];
    const { type, action_id: id } = parsed.data;
    return [[blockId, { [id]: { type, ...chosen(parsed.data) } }]];
  });
  return { ...view, id: 'V1', hash: '1', state: { values: Object.fromEntries(values) } };
}

/** What somebody who filled in the element would have sent. */
function chosen({ type, options }: Element): Record<string, unknown> {
  const option = Array.isArray(options) ? options[0] : { value: 'a' };
  if (type === 'plain_text_input') return { value: canary };
  if (type.startsWith('multi_users')) return { selected_users: [people.ben] };
  if (type.startsWith('multi_') || type === 'checkboxes') return { selected_options: [option] };
  if (type === 'users_select') return { selected_user: people.ben };
  if (type.startsWith('conversations') || type.startsWith('channels')) {
    return { selected_conversation: channel.id, selected_channel: channel.id };
  }
  return type === 'button' ? {} : { selected_option: option };
}
