import type { Random } from '../../../../playground/service/data/random.ts';
import { type PlacedElement, placedElements } from '../../../../playground/slack/elements.ts';
import type { ElementValue, FormValues, OpenView } from '../../../../playground/slack/protocol.ts';
import type { Site } from './open-world.ts';

/** What a person could enter: valid, of their own workspace, and often accepted. */
export function fillForm({ blocks }: OpenView, site: Site, random: Random): FormValues {
  const values: FormValues = {};
  for (const placed of placedElements(blocks)) {
    if (!placed.input || random.chance(0.5)) continue;
    const value = valueFor(placed, site, random);
    if (value !== undefined) values[placed.blockId] = { [placed.actionId]: value };
  }
  return values;
}

/** Undefined leaves the element as it is. */
export function valueFor(
  { element, blockId }: PlacedElement,
  { workspace, people, tenant }: Site,
  random: Random,
): ElementValue | undefined {
  switch (element.type) {
    case 'plain_text_input': {
      // A wrong token would end what the workspace can do.
      if (blockId.includes('token')) return undefined;
      const user = random.pick(tenant.service.users(tenant.portal.id));
      return random.pick([tenant.word, '2', '30', user?.email ?? '', `Agreed with ${tenant.word}`]);
    }
    case 'static_select':
    case 'radio_buttons':
      if (blockId.includes('region')) return undefined;
      return random.pick('options' in element ? (element.options ?? []) : [])?.value;
    case 'checkboxes':
    case 'multi_static_select':
      return ('options' in element ? (element.options ?? []) : [])
        .filter(() => random.chance(0.6))
        .flatMap(({ value }) => value ?? []);
    case 'timepicker':
      return '08:15';
    case 'conversations_select':
      return random.pick(workspace.channels)?.channelId;
    case 'multi_users_select':
      return people.filter(() => random.chance(0.8)).map(({ slackUserId }) => slackUserId);
    default:
      return undefined;
  }
}
