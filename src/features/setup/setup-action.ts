import { z } from 'zod';
import { setupChangeAction } from '../../audit-log/registry.ts';
import type { ActionDefinition, Step } from '../../requests/action.ts';
import { type ActionEntries, defineAction } from '../../requests/define-action.ts';
import { encodeValue } from '../../slack/ui/codec.ts';
import { mention, stripMarkup } from '../../slack/ui/mrkdwn.ts';
import { type SettingsTarget, SetupChangedError } from '../../workspace/open-settings.ts';
import { isAdmin } from '../../workspace/permissions.ts';
import { setupChange } from '../../workspace/setup-change.ts';
import { isAboutAccess } from './compare-setup.ts';
import { changeLines, removalEffects, showsExactly } from './views/format-setup-change.ts';
import { openSetupActionId, showAccessActionId } from './views/ids.ts';

const payload = setupChange.extend({
  /** Who can approve: the named approvers, or the admins if none of those could. */
  decidedBy: z.enum(['approvers', 'admins']),
  /** Who submitted it from the command line in the requester's name, if that was somebody else. */
  submittedBy: z.string().optional(),
});
type Payload = z.infer<typeof payload>;

/** The setup counts its saves: the request rests on what it was when it was made. */
const snapshot = z.object({ revision: z.int() });
type Snapshot = z.infer<typeof snapshot>;
type Subject = Snapshot & { isSaved: boolean };

const changedMeanwhile = 'The setup was changed in the meantime.';

const change: ActionDefinition<Payload, Snapshot, Subject, SettingsTarget> = {
  name: setupChangeAction,
  payload,
  personalFields: {
    removed: ['tokenOwnerBefore', 'tokenOwnerAfter', 'configuration'],
    replaced: [],
    nested: ['before', 'after'].map((when) => [when, 'access', 'protectedUsers']),
  },
  snapshot,
  describe: (stored) => ({
    subjectId: stored.changeId,
    summary: 'change the Belay setup',
    audited: { subject: 'the setup', changes: stripMarkup(changeLines(stored).join('; ')) },
    details: [
      ...(stored.submittedBy === undefined
        ? []
        : [{ label: 'Submitted from the command line by', value: mention(stored.submittedBy) }]),
      {
        label: 'Can be approved by',
        value:
          stored.decidedBy === 'admins'
            ? 'another admin'
            : 'a current approver, not one named in this change',
      },
    ],
    changes: () => changeLines(stored),
    warning: warningOf(stored),
    style: 'primary',
    steps: [saveStep(stored)],
    isShownExactly: () => showsExactly(stored),
    requestAgain: isAboutAccess(stored)
      ? { text: 'Show access', actionId: showAccessActionId, value: encodeValue({}) }
      : { text: 'Open setup', actionId: openSetupActionId, value: encodeValue({}) },
    open: async ({ openSettings }, request) => openSettings(request),
    readSubject: (client) => client.read(stored.changeId),
    snapshotOf: ({ revision }) => ({ revision }),
    differences: () => [changedMeanwhile],
    requesterRefusal: (requester) =>
      isAdmin(requester)
        ? undefined
        : `${mention(requester.slackUserId)} is no longer an admin, so this change can't be saved.`,
    approvers: (named) => (stored.decidedBy === 'admins' ? [] : named),
  }),
};

function warningOf({ configuration, ...own }: Payload): string | undefined {
  const changes = [own, ...(configuration?.changes ?? [])];
  if (changes.some(({ target }) => target?.kind === 'remove')) {
    return `If approved, requests waiting on this connection are voided. ${removalEffects}`;
  }
  const isReplaced = changes.some(
    ({ target, connectionId, isSameTenant }) =>
      connectionId !== undefined && !isSameTenant && target?.kind !== 'add',
  );
  return isReplaced
    ? 'If approved, requests waiting on the current connection are voided.'
    : undefined;
}

function saveStep({ changeId }: Payload): Step<Snapshot, Subject, SettingsTarget['client']> {
  return {
    name: 'save',
    done: 'The setup was changed.',
    isDone: async (read) => (await read())?.isSaved === true,
    async run(client) {
      try {
        await client.save(changeId);
      } catch (error) {
        if (!(error instanceof SetupChangedError)) throw error;
        return { state: 'changed', words: changedMeanwhile };
      }
      return { state: 'done' };
    },
  };
}

/** What an admin changes only with a second person's approval. */
export const setupActions = {
  [setupChangeAction]: defineAction(change),
} satisfies Partial<ActionEntries>;
