import type { ActionsBlock } from '@slack/types';
import { Element } from '../elements/element.tsx';

export function ActionsBlockBody({ block }: { block: ActionsBlock }) {
  return (
    <div className="actions-block">
      {block.elements.map((element, index) => (
        <Element
          key={element.action_id ?? index}
          element={element}
          blockId={block.block_id ?? ''}
          label={undefined}
        />
      ))}
    </div>
  );
}
