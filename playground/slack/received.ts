/** Something that the app sent to a workspace, by which way, and what. */
export type Received = {
  teamId: string;
  /** The method that was called, `response_url`, or `acknowledgement` for the answer to a delivery. */
  via: string;
  content: unknown;
  at: Date;
};
