import { createElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Person } from '../../../playground/slack/protocol.ts';
import { WorkspaceContext } from '../../../playground/web/workspace-context.ts';

const ana: Person = {
  slackUserId: 'U0ANA',
  teamId: 'T0',
  name: 'ana',
  realName: 'Ana Ruiz',
  email: 'ana@example.com',
  timeZone: 'Europe/Madrid',
  title: 'operator',
  isAdmin: false,
  isOwner: false,
  isGuest: false,
  isDeactivated: false,
};

const workspace = {
  me: ana,
  appName: 'Belay',
  aheadMs: 0,
  people: [ana],
  places: [{ channelId: 'C0OPS', name: 'ops', kind: 'channel' as const }],
  names: { U0ANA: 'Ana Ruiz', U0BEN: 'Ben Cho' },
};

/** Renders to HTML as Ana, in a workspace with Ben and #ops. */
export function htmlForAna(element: ReactElement): string {
  return renderToStaticMarkup(createElement(WorkspaceContext, { value: workspace }, element));
}
