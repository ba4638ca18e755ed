import type { KnownBlock } from '@slack/types';
import { useSurface } from '../surface.tsx';
import { Trouble } from '../trouble.tsx';
import { BlockBody } from './block-body.tsx';

export function Blocks({ blocks }: { blocks: KnownBlock[] }) {
  const { troubleAt } = useSurface();
  return (
    <div className="blocks">
      {blocks.map((block, index) => (
        <div key={block.block_id ?? index} className="block" data-type={block.type}>
          <BlockBody block={block} />
          <Trouble message={block.block_id && troubleAt(block.block_id)} />
        </div>
      ))}
    </div>
  );
}
