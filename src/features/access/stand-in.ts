/** Who decides for an approver, until when. Slack user ids. */
export type StandIn = { approver: string; standIn: string; endsAt: Date };

/** In days, so that a forgotten stand-in ends by itself. */
export const maxDays = 60;
