import { type Dispatch, type KeyboardEvent, type SetStateAction, useRef, useState } from 'react';
import type { Snapshot } from '../slack/protocol.ts';
import { CommandHints } from './command-hints.tsx';
import { ErrorMessage } from './error-message.tsx';
import { useGestures } from './use-gestures.ts';

/** The id of the message box, for the links and buttons that move the focus there. */
export const COMPOSER_ID = 'composer';

type Props = {
  channelId: string;
  placeholder: string;
  commands: Snapshot['commands'];
  text: string;
  setText: Dispatch<SetStateAction<string>>;
  /** What the person has sent, oldest first. ArrowUp in an empty box brings back the last one. */
  sent: readonly string[];
  onSent: (text: string) => void;
};

export function Composer(props: Props) {
  const { channelId, placeholder, commands, text, setText, sent, onSent } = props;
  const [recalled, setRecalled] = useState<number>();
  const box = useRef<HTMLTextAreaElement>(null);
  const { send, isPending, errorAt } = useGestures();
  const isSending = isPending('composer');
  const completion = completionOf(text, commands);

  async function submit() {
    if (text.trim() === '') return;
    change('');
    onSent(text);
    const isThrough = await send('composer', { type: 'send', channelId, text });
    if (!isThrough) setText((draft) => draft || text);
  }

  function change(next: string) {
    setText(next);
    setRecalled(undefined);
  }

  function complete(command: string) {
    change(`${command} `);
    box.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const isEnter = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing;
    const isTab = event.key === 'Tab' && !event.shiftKey;
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (completion && (isTab || (isEnter && completion !== text))) {
      event.preventDefault();
      complete(completion);
    } else if (isEnter) {
      event.preventDefault();
      void submit();
    } else if (step && (text === '' || recalled !== undefined)) {
      event.preventDefault();
      const index = Math.max(0, Math.min(sent.length, (recalled ?? sent.length) + step));
      setRecalled(index);
      setText(sent[index] ?? '');
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
          id={COMPOSER_ID}
          aria-label={placeholder}
          placeholder={placeholder}
          rows={Math.min(8, text.split('\n').length)}
          value={text}
          onChange={(event) => change(event.target.value)}
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

/** The only command that the text can become, or is; undefined if there are several or none. */
function completionOf(text: string, commands: Props['commands']): string | undefined {
  if (!text.startsWith('/')) return undefined;
  const matches = commands.filter(({ command }) => command.startsWith(text));
  return matches.length === 1 ? matches[0]?.command : undefined;
}
