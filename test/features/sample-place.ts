import { people } from '../../playground/people.ts';

/** When and where the sample views are drawn: people and channels of the local Slack. */
export const sampleNow = new Date('2026-11-21T12:00:00Z');
export const channelId = 'C0OPS00001';
export { people };
