import type { ContextBlock } from '@slack/types';
import { TextObjectText } from '../mrkdwn/text-object.tsx';
import { ImageElementBody } from './image.tsx';

export function ContextBlockBody({ block }: { block: ContextBlock }) {
  return (
    <div className="context-block">
      {block.elements.map((element, index) =>
        element.type === 'image' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: context elements have no ids
          <ImageElementBody key={index} image={element} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <TextObjectText key={index} text={element} />
        ),
      )}
    </div>
  );
}
