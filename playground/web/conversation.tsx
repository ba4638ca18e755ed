import { useState } from 'react';
import type { Conversation as ConversationData, Snapshot } from '../slack/protocol.ts';
import { COMPOSER_ID, Composer } from './composer.tsx';
import { isDemo } from './demo.ts';
import { AppTabs } from './home-tab.tsx';
import { MessageList } from './message-list.tsx';
import { Tips } from './tips.tsx';

type Props = {
  conversation: ConversationData;
  /** Whether the app has a Home tab beside its direct messages. */
  hasHome: boolean;
  commands: Snapshot['commands'];
  /** The message that a link leads to. */
  linkedTs: string | undefined;
  /** What the person has sent in this tab, oldest first. */
  sent: readonly string[];
  onSent: (text: string) => void;
};

export function Conversation({ conversation, hasHome, commands, linkedTs, sent, onSent }: Props) {
  const { messages, name, kind, channelId } = conversation;
  const title = kind === 'channel' ? `#${name}` : name;
  const [text, setText] = useState('');

  function fill(command: string) {
    setText(command);
    document.getElementById(COMPOSER_ID)?.focus();
  }

  return (
    <main className="conversation">
      <h1>{title}</h1>
      {kind === 'direct' && hasHome && <AppTabs appName={name} isHome={false} />}
      {isDemo() && kind === 'channel' && <Tips onChoose={fill} />}
      <MessageList messages={messages} title={title} linkedTs={linkedTs} />
      <Composer
        channelId={channelId}
        placeholder={`Message ${title}`}
        commands={commands}
        text={text}
        setText={setText}
        sent={sent}
        onSent={onSent}
      />
    </main>
  );
}
