/** Content that the app sent to a workspace. */
export type Received = {
  teamId: string;
  /** The method that was called, `response_url`, or `acknowledgement` for the response to a delivery. */
  via: string;
  content: unknown;
  at: Date;
};
