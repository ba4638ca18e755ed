import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  actions,
  button,
  confirmation,
  context,
  header,
  message,
  section,
} from '../../src/slack/ui/blocks.ts';
import { defineForm } from '../../src/slack/ui/form.ts';
import { selectField, textField } from '../../src/slack/ui/form-fields.ts';
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
  const { modal, fields } = defineForm('c', {
    metadata: z.object({}),
    fields: {
      reason: textField({ label: 'Reason', hint: 'Visible to the requester.', maxLength: 500 }),
      severity: selectField({
        label: 'Severity',
        choices: [{ value: 'error', label: 'Error' }],
        isOptional: true,
      }),
    },
  });
  const blocks = [fields.reason.block('Left'), fields.severity.block()];
  const view = modal({ title: 'Deny request', submit: 'Deny', metadata: {}, blocks });
  expect(renderView({ ...view, type: 'modal' })).toBe(`Modal "Deny request"
Reason: [Left] plain_text_input
  Hint: Visible to the requester.
Severity (optional): [] static_select
  Error
[Cancel] [Deny]`);
});
