import type { SlaSet } from '../../../dataprotection/resources/policy-schema.ts';
import { knownPolicyValues } from '../../../dataprotection/resources/policy-values.ts';
import type { ModalView } from '../../../slack/ui/modal.ts';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import { editPolicyModal } from '../views/edit-policy-modal.ts';
import { nameBlockId } from '../views/editor-ids.ts';
import { slaSetModal } from '../views/sla-set-modal.ts';
import { maxSlaSets, type PageRef } from './draft.ts';
import { type Editor, openPage, type PageDependencies, savePage } from './open-page.ts';
import { typedName } from './read-name.ts';
import { readSetForm } from './read-set-form.ts';
import { type SetPageRef, setPageOf } from './set-page.ts';

type Press<Ref> = Editor & { value: Ref; values: ViewValues };

export type SetStep = 'move-up' | 'move-down' | 'remove';

/** Moves or removes an SLA set, and keeps the name that was typed. */
export async function changeSets(
  { value: ref, values, ...editor }: Press<SetPageRef>,
  step: SetStep,
  dependencies: PageDependencies,
): Promise<ModalView> {
  const { channelId, index, revision } = ref;
  const page = await openPage(editor, ref, dependencies);
  if ('instead' in page) return page.instead;
  const { before, after } = page.draft;
  const name = typedName(page.draft, values.text(nameBlockId(revision)));
  const slaSets = changed(after.slaSets, index, step);
  const content = { before, after: { ...after, name, slaSets } };
  const saved = await savePage(page, content, channelId, dependencies);
  return 'instead' in saved ? saved.instead : editPolicyModal(saved.draft, { channelId });
}

function changed(slaSets: SlaSet[], index: number, step: SetStep): SlaSet[] {
  const others = slaSets.toSpliced(index, 1);
  const [moved] = slaSets.slice(index, index + 1);
  if (step === 'remove' || !moved) return others;
  return others.toSpliced(step === 'move-up' ? Math.max(0, index - 1) : index + 1, 0, moved);
}

/** Shows the form of an SLA set, a new one for a preset, and keeps the name that was typed. */
export async function showSet(
  { value: ref, values, ...editor }: Press<SetPageRef>,
  dependencies: PageDependencies,
): Promise<ModalView> {
  const { channelId } = ref;
  const page = await openPage(editor, ref, dependencies);
  if ('instead' in page) return page.instead;
  const { before, after, revision } = page.draft;
  const name = typedName(page.draft, values.text(nameBlockId(revision)));
  const saved =
    name === after.name
      ? page
      : await savePage(page, { before, after: { ...after, name } }, channelId, dependencies);
  if ('instead' in saved) return saved.instead;

  const { draft } = saved;
  const known = knownPolicyValues(page.service.client);
  const setPage = setPageOf(draft, { ...ref, revision: draft.revision }, known);
  const isTooMany = ref.preset && draft.after.slaSets.length >= maxSlaSets;
  if (!setPage || isTooMany) return editPolicyModal(draft, { channelId });
  return slaSetModal(setPage);
}

/** Shows the form of an SLA set again, with texts in place of menus. What was entered stays. */
export async function showTypedSet(
  { value, values, ...editor }: Press<SetPageRef>,
  dependencies: PageDependencies,
): Promise<ModalView> {
  const page = await openPage(editor, value, dependencies);
  if ('instead' in page) return page.instead;
  const known = knownPolicyValues(page.service.client);
  const setPage = setPageOf(page.draft, value, known);
  if (!setPage) return editPolicyModal(page.draft, { channelId: value.channelId });
  const { slaSet: shown } = readSetForm(values, setPage);
  return slaSetModal({ ...setPage, ref: { ...value, isTyped: true } }, { shown });
}

export async function showOverview(
  { value: ref, ...editor }: Press<PageRef>,
  dependencies: PageDependencies,
): Promise<ModalView> {
  const page = await openPage(editor, ref, dependencies);
  if ('instead' in page) return page.instead;
  return editPolicyModal(page.draft, { channelId: ref.channelId });
}
