import type { ContextBlock } from '@slack/types';
import { Each } from '../each.tsx';
import { TextObjectText } from '../mrkdwn/text-object.tsx';
import { ImageElementBody } from './image.tsx';

export function ContextBlockBody({ block }: { block: ContextBlock }) {
  return (
    <div className="context-block">
      <Each of={block.elements}>
        {(element) =>
          element.type === 'image' ? (
            <ImageElementBody image={element} />
          ) : (
            <TextObjectText text={element} />
          )
        }
      </Each>
    </div>
  );
}
