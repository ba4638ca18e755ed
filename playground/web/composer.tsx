import { type KeyboardEvent, useRef, useState } from 'react';
import type { Snapshot } from '../slack/protocol.ts';
import { CommandHints } from './command-hints.tsx';
import { ErrorMessage } from './error-message.tsx';
import { useGestures } from './use-gestures.ts';

type Props = { channelId: string; placeholder: string; commands: Snapshot['commands'] };

export function Composer({ channelId, placeholder, commands }: Props) {
  const [text, setText] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  const { send, isPending, errorAt } = useGestures();
  const isSending = isPending('composer');
  const completion = completionOf(text, commands);

  async function submit() {
    if (text.trim() === '') return;
    setText('');
    const isThrough = await send('composer', { type: 'send', channelId, text });
    if (!isThrough) setText((draft) => draft || text);
  }

  function complete(command: string) {
    setText(`${command} `);
    box.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const isEnter = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
    if (completion && (isEnter || (event.key === 'Tab' && !event.shiftKey))) {
      event.preventDefault();
      complete(completion);
    } else if (isEnter) {
      event.preventDefault();
      void submit();
    }
  }

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <CommandHints text={text} commands={commands} onChoose={complete} />
      <ErrorMessage message={errorAt('composer')} />
      <div className="composer-box">
        <textarea
          ref={box}
          aria-label={placeholder}
          placeholder={placeholder}
          rows={Math.min(8, text.split('\n').length)}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button
          type="submit"
          className="button"
          data-style="primary"
          aria-busy={isSending}
          aria-disabled={text.trim() === ''}
        >
          Send
        </button>
      </div>
      <p className="visually-hidden" role="status">
        {isSending ? 'Sending…' : ''}
      </p>
    </form>
  );
}

/** The only command that an incomplete one can mean; undefined if it is complete or ambiguous. */
function completionOf(text: string, commands: Props['commands']): string | undefined {
  if (text.length < 2 || !text.startsWith('/')) return undefined;
  const matches = commands.filter(({ command }) => command.startsWith(text));
  const [only] = matches;
  return matches.length === 1 && only && only.command !== text ? only.command : undefined;
}
