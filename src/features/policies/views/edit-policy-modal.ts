import type { SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import {
  actions,
  type Button,
  button,
  context,
  type KnownBlock,
  section,
} from '../../../slack/ui/blocks.ts';
import { encodeValue } from '../../../slack/ui/codec.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import { safe } from '../../../slack/ui/mrkdwn.ts';
import {
  type Draft,
  maxNameLength,
  maxSlaSets,
  type OpenDraft,
  type PageRef,
  pageRef,
  refOf,
} from '../editor/draft.ts';
import { nameField, shownName } from '../editor/read-name.ts';
import { presetNames, presets } from '../editor/set-page.ts';
import { formatOperation, listSlas } from './format-policy.ts';
import {
  addSetActionId,
  editSetActionId,
  moveDownActionId,
  moveUpActionId,
  removeSetActionId,
} from './ids.ts';
import { listNames } from './sla-set-modal.ts';

export const overviewForm = defineForm('policies.draft', { metadata: pageRef, fields: {} });

/** The first page of a draft: the name and the SLA sets. `problems` are mrkdwn, shown above the fields. */
export function editPolicyModal(draft: OpenDraft, problems: string[] = []): ModalView {
  const { before, after } = draft;
  const ref = refOf(draft);
  const { slaSets } = after;
  return overviewForm.modal({
    title: before ? 'Edit policy' : 'Create policy',
    submit: 'Review',
    close: 'Close',
    metadata: ref,
    blocks: [
      ...problems.map((problem) => section(problem)),
      nameInput(draft),
      section(`*Schedules (${slaSets.length})*`),
      ...slaSets.flatMap((slaSet, index) => [
        section(`*${index + 1}.* ${formatSet(slaSet)}`),
        actions(setButtons(ref, index, slaSets)),
      ]),
      ...addBlocks(ref, slaSets.length),
      ...unchangedFields(draft),
      context('Belay saves your draft for a day. Nothing is changed until a request is approved.'),
    ],
  });
}

function formatSet(slaSet: SlaSet): string {
  const [first, ...others] = listSlas(slaSet);
  return [`${formatOperation(slaSet.operation)}: ${first}`, ...others]
    .map((line) => safe(line, 500))
    .join('\n');
}

function nameInput(draft: Draft): KnownBlock {
  const { before, after } = draft;
  const shown = shownName(after.name);
  const isTooLong = shown === undefined;
  return nameField(draft).block(shown, {
    isFocused: !before,
    hint: isTooLong
      ? 'The current name is too long to show here. Leave this field empty to keep it.'
      : `At most ${maxNameLength} characters.`,
    isOptional: before !== undefined && !shown?.trim(),
  });
}

function setButtons(ref: PageRef, index: number, slaSets: SlaSet[]): Button[] {
  const place = `Schedule ${index + 1} (${formatOperation(slaSets[index]?.operation)})`;
  const one = (text: string, actionId: string) =>
    button({
      text,
      actionId,
      value: encodeValue({ ...ref, index }),
      accessibilityLabel: `${text}: ${place}`,
    });
  return [
    one('Edit', editSetActionId),
    ...(index > 0 ? [one('Move up', moveUpActionId)] : []),
    ...(index < slaSets.length - 1 ? [one('Move down', moveDownActionId)] : []),
    one('Remove', removeSetActionId),
  ];
}

function addBlocks(ref: PageRef, count: number): KnownBlock[] {
  if (count >= maxSlaSets) {
    return [
      context(`A policy can have at most ${maxSlaSets} schedules here. Remove one to add another.`),
    ];
  }
  const buttons = presetNames.map((preset) =>
    button({
      text: presets[preset].label,
      actionId: addSetActionId(preset),
      value: encodeValue({ ...ref, index: count, preset }),
      accessibilityLabel: `Add a schedule: ${presets[preset].label}`,
    }),
  );
  return [section('*Add a schedule*'), actions(buttons)];
}

function unchangedFields({ before, after }: Draft): KnownBlock[] {
  const names = Object.keys(after.otherFields ?? {});
  if (!before || names.length === 0) return [];
  return [context(`Other fields of the policy stay as they are: ${listNames(names)}`)];
}
