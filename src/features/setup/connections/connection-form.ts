import { z } from 'zod';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import type { ConnectionSummary, WorkspaceSettings } from '../../workspaces/index.ts';
import { readSetupForm, type SetupForm, tokenPageForm } from '../setup-form.ts';
import { connectionNameBlockId } from '../views/ids.ts';

export const maxConnections = 20;
export const maxConnectionName = 30;

export const connectionRef = z.object({ originId: z.uuid() });

export const connectionMetadata = z.object({
  channelId: z.string().optional(),
  /** The connection to edit; undefined in a form that adds one. */
  originId: z.uuid().optional(),
  /** The revision of the setup that the form shows. */
  revision: z.int().min(0),
  hasStoredToken: z.boolean(),
  /** Given where a token can be entered on a web page. */
  page: tokenPageForm.optional(),
});
export type ConnectionMetadata = z.infer<typeof connectionMetadata>;

export type ConnectionForm = SetupForm & { name: string };

/** The form has no fields for the workspace's settings, so these come from the stored ones. */
export function readConnectionForm(
  values: ViewValues,
  settings: WorkspaceSettings,
): ConnectionForm {
  const { approvers, approvalsChannelId } = settings;
  return {
    ...readSetupForm(values, settings),
    approvers,
    approvalsChannelId,
    deleteGraceMinutes: String(settings.deleteGraceMinutes),
    usersPerHour: String(settings.usersPerHour),
    weakeningApprovals: String(settings.weakeningApprovals),
    name: (values.text(connectionNameBlockId) ?? '').normalize('NFC'),
  };
}

/** Why a connection can't have this name. People type the name after `on:`, and titles show it. */
export function problemWithName(
  name: string,
  others: Pick<ConnectionSummary, 'name'>[],
): string | undefined {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name) || name.length > maxConnectionName) {
    return `Use up to ${maxConnectionName} letters, digits, dots, hyphens and underscores, starting with a letter or digit.`;
  }
  const typed = name.toLowerCase();
  if (typed === defaultWord)
    return 'This name is reserved for the default connection. Choose another name.';
  const isTaken = others.some((other) => other.name.toLowerCase() === typed);
  return isTaken ? 'Another connection has this name.' : undefined;
}

/** `/belay connection use default` */
export const defaultWord = 'default';
