import { expect, test } from 'vitest';
import {
  actions,
  button,
  confirmation,
  context,
  header,
  input,
  message,
  plain,
  section,
} from '../../src/slack/ui/blocks.ts';
import { formModal } from '../../src/slack/ui/modal.ts';
import { channelMention, mention, moment, safe } from '../../src/slack/ui/mrkdwn.ts';
import { table } from '../../src/slack/ui/table.ts';
import { channelId, people, sampleNow } from '../features/sample-place.ts';
import { renderView } from './render-view.ts';

test('a message is rendered as a person reads it', () => {
  const question = { title: 'Approve?', question: 'Approve this?', verb: 'Approve' };
  const approve = button({
    text: 'Approve',
    actionId: 'a',
    value: '1',
    style: 'primary',
    accessibilityLabel: 'Approve: disable Kim Lee',
    confirm: confirmation(question),
  });
  const blocks = [
    header('Request'),
    section(`${mention(people.ana)} in ${channelMention(channelId)}: ${safe('<b>')}`),
    context(`Since ${moment(sampleNow)}`),
    table([{ title: 'Policy' }, { title: 'Volumes', align: 'right' }], [['Gold', '7']]),
    actions([approve]),
  ];
  const shown = `# Request
@Ana Sousa in #ops: <b>
· Since today at 12:00 PM
Policy  Volumes
Gold          7
[Approve] (primary, "Approve: disable Kim Lee")
  Asks: Approve?: Approve this? [Approve] [Cancel]`;
  expect(renderView({ text: message(blocks).text, blocks })).toBe(shown);
  expect(renderView({ text: 'In short', blocks })).toBe(`${shown}\nNotification: In short`);
});

test('a form is rendered with its labels, values, hints and buttons', () => {
  const element = { type: 'plain_text_input' as const, action_id: 'r', initial_value: 'Left' };
  const chosen = { text: plain('Error', 75), value: 'error' };
  const menu = { type: 'static_select' as const, action_id: 's', options: [chosen] };
  const view = formModal({
    title: 'Deny request',
    callbackId: 'c',
    submit: 'Deny',
    metadata: '',
    blocks: [
      input({ blockId: 'b', label: 'Reason', element, hint: 'Visible to the requester.' }),
      input({ blockId: 'm', label: 'Severity', element: menu, isOptional: true }),
    ],
  });
  expect(renderView({ ...view, type: 'modal' })).toBe(`Modal "Deny request"
Reason: [Left] plain_text_input
  Hint: Visible to the requester.
Severity (optional): [] static_select
  Error
[Cancel] [Deny]`);
});
