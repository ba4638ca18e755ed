import { z } from 'zod';
import { accessSettings } from '../access.ts';

/** The numbers among the settings. */
export const limits = {
  deleteGraceMinutes: { min: 0, max: 24 * 60, default: 30 },
  usersPerHour: { min: 1, max: 1000, default: 10 },
  weakeningApprovals: { min: 1, max: 3, default: 2 },
  restoreApprovals: { min: 1, max: 3, default: 2 },
  administratorApprovals: { min: 1, max: 3, default: 2 },
  maxAlertsCleared: { min: 1, max: 1000, default: 100 },
};

const within = ({ min, max, default: usual }: { min: number; max: number; default: number }) =>
  z.int().min(min).max(max).default(usual);

/**
 * The settings of a workspace as they are stored, written in the configuration file and compared. What is
 * missing has its default.
 */
export const workspaceSettings = z.object({
  /** Slack ids of people and user groups. If empty, the workspace's admins are the approvers. */
  approvers: z.array(z.string()).default([]),
  /** Without one, requests are posted where they are made. */
  approvalsChannel: z.string().optional(),
  deleteGraceMinutes: within(limits.deleteGraceMinutes),
  usersPerHour: within(limits.usersPerHour),
  weakeningApprovals: within(limits.weakeningApprovals),
  restoreApprovals: within(limits.restoreApprovals),
  administratorApprovals: within(limits.administratorApprovals),
  maxAlertsCleared: within(limits.maxAlertsCleared),
  access: accessSettings.prefault({}),
});
export type WorkspaceSettings = z.infer<typeof workspaceSettings>;

export const defaultSettings: WorkspaceSettings = workspaceSettings.parse({});
