/** Who decides for an approver, until when. Slack user ids. */
export type StandIn = { approver: string; standIn: string; endsAt: Date };

/** In days. Limited so that a forgotten stand-in ends automatically. */
export const maxDays = 60;
