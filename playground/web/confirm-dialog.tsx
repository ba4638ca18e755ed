import type { ConfirmationDialog } from '@slack/types';
import { Dialog } from './dialog.tsx';
import { TextObjectText } from './mrkdwn/text-object.tsx';

type Props = { confirm: ConfirmationDialog; onAnswer: (isYes: boolean) => void };

export function ConfirmDialog({ confirm, onAnswer }: Props) {
  const no = () => onAnswer(false);
  return (
    <Dialog
      title={confirm.title?.text ?? 'Are you sure?'}
      closeLabel="Exit"
      onCancel={no}
      onExit={no}
    >
      <div className="dialog-body">
        <TextObjectText text={confirm.text} />
      </div>
      <footer className="dialog-foot">
        <button type="button" className="button" onClick={no}>
          {confirm.deny?.text ?? 'No'}
        </button>
        <button
          type="button"
          className="button"
          data-first
          data-style={confirm.style ?? 'primary'}
          onClick={() => onAnswer(true)}
        >
          {confirm.confirm?.text ?? 'Yes'}
        </button>
      </footer>
    </Dialog>
  );
}
