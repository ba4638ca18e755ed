import { z } from 'zod';
import { storedDefinitionSchema, storedPolicySchema } from '../stored-policy.ts';

/** A policy that a person is editing, kept so that a closed form loses nothing. */
export type Draft = {
  id: string;
  teamId: string;
  connectionId: string;
  slackUserId: string;
  /** Undefined for a new policy. */
  policyId: string | undefined;
  /** Number of saves. */
  revision: number;
  savedAt: Date;
} & DraftContent;

/** The column of a draft. */
export const draftContent = z.object({
  /** As it was read when the draft began. Undefined for a new policy. */
  before: storedPolicySchema.optional(),
  after: storedDefinitionSchema,
});
export type DraftContent = z.infer<typeof draftContent>;

/** A draft in a form. */
export type OpenDraft = Draft & {
  /** Where answers go once the form is closed. */
  channelId?: string | undefined;
};

/** The page of a draft that a form shows: it can only be saved if the draft is still at `revision`. */
export const pageRef = z.object({
  draftId: z.uuid(),
  revision: z.int().min(0),
  channelId: z.string().optional(),
});
export type PageRef = z.infer<typeof pageRef>;

export function refOf({ id: draftId, revision, channelId }: OpenDraft): PageRef {
  return { draftId, revision, channelId };
}

/** More would not fit into one form with a row of buttons for each. */
export const maxSlaSets = 20;
export const maxNameLength = 255;
/** Slack's limit for the text in a field. */
export const maxFieldLength = 3000;
