export { createChannelMembers } from './channel-members.ts';
export { createHomeParts } from './home-parts.ts';
export { renderHome } from './render-home.ts';
