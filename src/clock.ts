/** The current time, as a parameter, so that a test can hold it still. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
