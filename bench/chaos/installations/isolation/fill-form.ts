import { addDays } from 'date-fns/addDays';
import type { Random } from '../../../../playground/service/data/random.ts';
import { type PlacedElement, placedElements } from '../../../../playground/slack/elements.ts';
import type { ElementValue, FormValues, OpenView } from '../../../../playground/slack/protocol.ts';
import type { Site } from './open-world.ts';

/** What a person could enter: valid, of their own workspace, and often accepted. */
export function fillForm({ blocks }: OpenView, site: Site, random: Random): FormValues {
  const values: FormValues = {};
  for (const placed of placedElements(blocks)) {
    if (!placed.input) continue;
    const isFilled = Object.keys(placed.element).some((key) => key.startsWith('initial_'));
    // Most people enter what a form requires.
    if (random.chance(isFilled || placed.input.optional ? 0.5 : 0.1)) continue;
    const value = valueFor(placed, site, random);
    if (value !== undefined) values[placed.blockId] = { [placed.actionId]: value };
  }
  return values;
}

/** Undefined leaves the element as it is. */
export function valueFor(
  { element, blockId, input }: PlacedElement,
  { workspace, people, tenant }: Site,
  random: Random,
): ElementValue | undefined {
  switch (element.type) {
    case 'plain_text_input': {
      // A wrong token would end what the workspace can do.
      if (blockId === 'token') return tenant.portal.token;
      if (blockId === 'timeZone') return 'Europe/Lisbon';
      const emails = tenant.service.users(tenant.portal.id).map(({ email }) => email);
      const [email = '', otherEmail = ''] = [random.pick(emails), random.pick(emails)];
      const [, toType] = /^Type (\S+) to confirm/.exec(input?.hint?.text ?? '') ?? [];
      if (toType) return toType;
      if (blockId.includes('reason')) return `Agreed with ${tenant.word}`;
      return random.pick([tenant.word, '2', '30', email, `${email}, ${otherEmail}`]);
    }
    case 'static_select':
    case 'radio_buttons':
      if (blockId.includes('region')) return tenant.regionId;
      return random.pick('options' in element ? (element.options ?? []) : [])?.value;
    case 'checkboxes':
    case 'multi_static_select':
      return ('options' in element ? (element.options ?? []) : [])
        .filter(() => random.chance(0.6))
        .flatMap(({ value }) => value ?? []);
    case 'timepicker':
      return '08:15';
    case 'datepicker':
      return addDays(new Date(), 7).toISOString().slice(0, 10);
    case 'number_input':
      return String(random.integer(1, 5));
    case 'users_select':
      return random.pick(people)?.slackUserId;
    case 'conversations_select':
      return random.pick(workspace.channels)?.channelId;
    case 'multi_users_select':
      return people.filter(() => random.chance(0.8)).map(({ slackUserId }) => slackUserId);
    default:
      return undefined;
  }
}
