/** A channel's watch on changes to policies that were made outside Belay. A channel has at most one. */
export type PolicyWatch = {
  teamId: string;
  channelId: string;
  createdBy: string;
  createdAt: Date;
  pausedReason: string | undefined;
};
