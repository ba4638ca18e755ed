export { createChannelMembers } from './channel-members.ts';
export { createHomes, type Homes } from './create-homes.ts';
export { createHomeParts } from './home-parts.ts';
export type { HomePart, HomeReader } from './render-home.ts';
export { recordHomeChange, recordSettingsChange } from './store/home-store.ts';
export { publishLimit } from './timings.ts';
