import type { Option } from '@slack/types';
import { plainText, TextObjectText } from '../mrkdwn/text-object.tsx';

export function OptionText({ option }: { option: Option }) {
  return (
    <span>
      <TextObjectText text={option.text} />
      {option.description && <span className="hint">{plainText(option.description)}</span>}
    </span>
  );
}
