import { z } from 'zod';
import type { ViewValues } from '../../../slack/ui/view-values.ts';
import type { ConnectionSummary, WorkspaceSettings } from '../../workspaces/index.ts';
import { readSetupForm, type SetupForm } from '../setup-form.ts';
import { connectionNameBlockId } from '../views/ids.ts';

export const maxConnections = 20;
export const maxConnectionName = 30;

export const connectionRef = z.object({ originId: z.uuid() });

export const connectionMetadata = z.object({
  channelId: z.string().optional(),
  /** The connection to edit; without it, the form adds one. */
  originId: z.uuid().optional(),
  /** How often the setup had been saved when it filled the form. */
  revision: z.int().min(0),
  hasStoredToken: z.boolean(),
});
export type ConnectionMetadata = z.infer<typeof connectionMetadata>;

/** As an admin entered it. */
export type ConnectionForm = SetupForm & { name: string };

/** The form has no settings: they stay as they are. */
export function readConnectionForm(
  values: ViewValues,
  settings: WorkspaceSettings,
): ConnectionForm {
  const { approvers, approvalsChannelId } = settings;
  return {
    ...readSetupForm(values, settings),
    ...{ approvers, approvalsChannelId },
    deleteGraceMinutes: String(settings.deleteGraceMinutes),
    usersPerHour: String(settings.usersPerHour),
    weakeningApprovals: String(settings.weakeningApprovals),
    name: (values.text(connectionNameBlockId) ?? '').normalize('NFC'),
  };
}

/** Why a connection can't have this name: it is typed after `on:`, and shown in titles. */
export function problemWithName(
  name: string,
  others: Pick<ConnectionSummary, 'name'>[],
): string | undefined {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]*$/u.test(name) || name.length > maxConnectionName) {
    return `Use up to ${maxConnectionName} letters, digits, dots, hyphens and underscores, starting with a letter or digit.`;
  }
  const typed = name.toLowerCase();
  if (typed === defaultWord) return 'This word stands for the default connection. Choose a name.';
  const isTaken = others.some((other) => other.name.toLowerCase() === typed);
  return isTaken ? 'Another connection has this name.' : undefined;
}

/** `/belay connection use default` */
export const defaultWord = 'default';
