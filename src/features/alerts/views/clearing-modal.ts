import { z } from 'zod';
import type { Alert } from '../../../dataprotection/resources/alerts.ts';
import { context, section } from '../../../slack/ui/blocks.ts';
import { defineForm } from '../../../slack/ui/form.ts';
import { textField } from '../../../slack/ui/form-fields.ts';
import { type ModalView, noticeModal } from '../../../slack/ui/modal.ts';
import { plural } from '../../../slack/ui/words.ts';
import type { AlertSearch } from '../alert-search.ts';
import { formatAlertLine } from './alert-section.ts';
import { describeSearch } from './format-search.ts';

export const clearAllTitle = 'Clear alerts';

/** In characters. There must be room for the note that an alert has. */
export const maxNoteLength = 500;

const maxShown = 10;

export const clearAllForm = defineForm('alerts.clearAll', {
  metadata: z.object({ clearingId: z.uuid(), channelId: z.string().optional() }),
  fields: {
    note: textField({
      label: 'Note',
      hint: "Added to the note of each alert. Visible in Slack and in the service's portal.",
      maxLength: maxNoteLength,
      isMultiline: true,
      isOptional: true,
    }),
  },
});

/** Asks for confirmation: the service can't make cleared alerts active again. */
export function clearAllModal(
  alerts: Alert[],
  search: AlertSearch,
  { now, ...metadata }: { clearingId: string; channelId: string | undefined; now: Date },
): ModalView {
  const count = plural(alerts.length, 'alert');
  const filter = describeSearch(search, now);
  const more = alerts.length - maxShown;
  return clearAllForm.modal({
    title: clearAllTitle,
    submit: `Clear ${count}`,
    metadata,
    blocks: [
      section(`*${plural(alerts.length, 'active alert')}*${filter && `: ${filter}`}`),
      ...alerts.slice(0, maxShown).map((alert) => section(formatAlertLine(alert))),
      ...(more > 0 ? [context(`and ${more} more`)] : []),
      section(
        `:warning: *This can't be undone.* Clearing removes ${count} from the list of active alerts. It doesn't fix the problems. Alerts raised from now on stay active.`,
      ),
      clearAllForm.fields.note.block(),
    ],
  });
}

type ClearAllProblem = 'none' | 'incomplete' | 'unsupported' | { count: number; max: number };

/** Instead of the form. */
export function clearAllProblemModal(problem: ClearAllProblem): ModalView {
  return noticeModal(clearAllTitle, [section(describeClearAllProblem(problem))]);
}

export function describeClearAllProblem(problem: ClearAllProblem): string {
  if (problem === 'none') return 'No active alerts match these filters anymore.';
  if (problem === 'unsupported') return "The service doesn't support clearing alerts.";
  if (problem === 'incomplete') {
    return "Belay couldn't read all alerts that match, so it can't clear them at once. Narrow the filter, or try again in a minute.";
  }
  const { count, max } = problem;
  return `${plural(count, 'alert')} match, and at most ${max} can be cleared at once. Narrow the filter. An admin can change the limit with \`/belay setup\`.`;
}
