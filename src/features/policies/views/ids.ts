import { z } from 'zod';
import type { RequestButton, UndoButton } from '../../../requests/action.ts';
import { encodeValue, maxIdLength } from '../../../slack/ui/codec.ts';
import { definePager } from '../../../slack/ui/pager.ts';
import { viewPolicyActionId } from '../../alerts/index.ts';
import type { PresetName } from '../editor/set-page.ts';

/** Messages about alerts and compliance, which know nothing of policies, have this button too. */
export const showActionId = viewPolicyActionId;
export const historyActionId = 'policies.history';
export const editActionId = 'policies.edit';
/** *Create policy*; `policies.create` is the action that it leads to. */
export const createFormActionId = 'policies.create_form';
/** On a completed change: requests its inverse. */
export const revertActionId = 'policies.revert';

/** The value of *View policy*, *History* and *Edit*. */
export const policyValue = z.object({ policyId: z.string().min(1).max(maxIdLength) });
export const maxSearchLength = 100;
/** The position of the page's first policy, from 0. */
export const policyPager = definePager(
  'policies',
  'policies',
  z.object({ search: z.string().max(maxSearchLength), start: z.int().min(0) }),
);
/** The value of *Create policy*. */
export const createFormValue = z.object({});
/** The value of *Revert*: the request whose change it undoes. */
export const revertValue = z.object({ approvalId: z.string().min(1).max(maxIdLength) });

/** The button that shows the policy as it is now. Undefined if its id is too long for a button. */
export function viewButton({ id }: { id: string }): RequestButton | undefined {
  if (id.length > maxIdLength) return undefined;
  return { text: 'View policy', actionId: showActionId, value: encodeValue({ policyId: id }) };
}

/** On a completed change: opens the form that requests its inverse. */
export function revertButton(approvalId: string): UndoButton {
  return {
    text: 'Revert…',
    actionId: revertActionId,
    value: encodeValue({ approvalId }),
    action: 'policies.revert',
    undoes: approvalId,
  };
}

/** Opens the form again, after a request became void. */
export function editButton(policyId: string): RequestButton {
  return { text: 'Edit again…', actionId: editActionId, value: encodeValue({ policyId }) };
}

export const createFormButton: RequestButton = {
  text: 'Create again…',
  actionId: createFormActionId,
  value: encodeValue({}),
};

/** Buttons of the editor's pages. Their values name the draft and the revision that was shown. */
export const continueActionId = 'policies.draft_continue';
export const startOverActionId = 'policies.draft_start_over';
export const overviewActionId = 'policies.draft_overview';
export const editSetActionId = 'policies.draft_edit_set';
export const typeValuesActionId = 'policies.draft_type_values';
export const moveUpActionId = 'policies.draft_move_up';
export const moveDownActionId = 'policies.draft_move_down';
export const removeSetActionId = 'policies.draft_remove_set';

/** One for each preset, because the ids within one block must differ. */
export function addSetActionId(preset: PresetName): string {
  return `policies.draft_add_${preset}`;
}
