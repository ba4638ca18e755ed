export { createChannelMembers } from './channel-members.ts';
export { listHomeParts } from './home-parts.ts';
export { renderHome } from './render-home.ts';
