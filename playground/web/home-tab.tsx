import { useEffect } from 'react';
import type { HomeView } from '../slack/protocol.ts';
import { Blocks } from './blocks/blocks.tsx';
import { sendGesture } from './send-gesture.ts';
import { SurfaceProvider } from './surface.tsx';
import { conversationHref } from './use-address.ts';
import { useForm } from './use-form.ts';
import { useGestures } from './use-gestures.ts';
import { useWorkspace } from './workspace-context.ts';

/** Stands where a link to a message has the timestamp. */
export const HOME_TAB = 'home';

/** The tabs of the app, which its Home shares with the direct messages. */
export function AppTabs({ appName, isHome }: { appName: string; isHome: boolean }) {
  const tab = (label: string, href: string, isCurrent: boolean) => (
    <a href={href} aria-current={isCurrent ? 'page' : undefined}>
      {label}
    </a>
  );
  return (
    <nav className="app-tabs" aria-label={`${appName} tabs`}>
      {tab('Home', conversationHref(appName, HOME_TAB), isHome)}
      {tab('Messages', conversationHref(appName), !isHome)}
    </nav>
  );
}

/** The app's Home tab. Each time it is opened the app hears of it. */
export function HomeTab({ appName, view }: { appName: string; view: HomeView | undefined }) {
  const { slackUserId } = useWorkspace().me;
  useEffect(() => void sendGesture(slackUserId, { type: 'open-home' }), [slackUserId]);
  return (
    <main className="conversation">
      <h1>{appName}</h1>
      <AppTabs appName={appName} isHome />
      <div className="home-tab">
        {view ? <HomeContent view={view} /> : <p className="waiting">This tab is empty so far.</p>}
      </div>
    </main>
  );
}

function HomeContent({ view: { viewId, blocks } }: { view: HomeView }) {
  const form = useForm(blocks);
  const gestures = useGestures();
  return (
    <SurfaceProvider
      container={{ kind: 'view', viewId }}
      form={form}
      errors={{}}
      gestures={gestures}
    >
      <Blocks blocks={blocks} />
    </SurfaceProvider>
  );
}
