import type { MessageBlock } from '../../slack/protocol.ts';
import { ErrorMessage } from '../error-message.tsx';
import { DrawnText } from '../mrkdwn/emoji-mark.tsx';
import { plainText } from '../mrkdwn/text-object.tsx';
import { useSurface } from '../surface.tsx';
import { ActionsBlockBody } from './actions-block.tsx';
import { ChartBlockBody } from './chart-block.tsx';
import { ContextBlockBody } from './context-block.tsx';
import { ImageBlockBody } from './image.tsx';
import { InputBlockBody } from './input-block.tsx';
import { RichText } from './rich-text.tsx';
import { SectionBlockBody } from './section-block.tsx';
import { TableBlockBody } from './table-block.tsx';
import { Unknown } from './unknown.tsx';

export function Blocks({ blocks }: { blocks: MessageBlock[] }) {
  const { errorAt } = useSurface();
  return (
    <div className="blocks">
      {blocks.map((block, index) => (
        <div key={block.block_id ?? index} className="block" data-type={block.type}>
          <BlockBody block={block} />
          <ErrorMessage message={block.block_id && errorAt(block.block_id)} />
        </div>
      ))}
    </div>
  );
}

function BlockBody({ block }: { block: MessageBlock }) {
  switch (block.type) {
    case 'section':
      return <SectionBlockBody block={block} />;
    case 'header':
      return (
        <h3 className="header-block">
          <DrawnText text={plainText(block.text)} />
        </h3>
      );
    case 'divider':
      return <hr />;
    case 'context':
      return <ContextBlockBody block={block} />;
    case 'actions':
      return <ActionsBlockBody block={block} />;
    case 'input':
      return <InputBlockBody block={block} />;
    case 'image':
      return <ImageBlockBody block={block} />;
    case 'rich_text':
      return <RichText block={block} />;
    case 'markdown':
      return <p className="plain-text">{block.text}</p>;
    case 'table':
      return <TableBlockBody block={block} />;
    case 'data_visualization':
      return <ChartBlockBody block={block} />;
    default:
      return <Unknown type={block.type} />;
  }
}
