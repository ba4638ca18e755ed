import type { SectionBlock, TextObject } from '@slack/types';
import { Each } from '../each.tsx';
import { Element } from '../elements/element.tsx';
import { TextObjectText } from '../mrkdwn/text-object.tsx';
import { ImageElementBody } from './image.tsx';

export function SectionBlockBody({ block }: { block: SectionBlock }) {
  const { text, fields, accessory, block_id: blockId = '' } = block;
  return (
    <div className="section-block">
      <div className="section-text">
        {text && <TextObjectText text={text} />}
        {fields && <Fields fields={fields} />}
      </div>
      {accessory && (
        <div className="section-accessory">
          {accessory.type === 'image' ? (
            <ImageElementBody image={accessory} />
          ) : (
            <Element element={accessory} blockId={blockId} label={text && firstLine(text.text)} />
          )}
        </div>
      )}
    </div>
  );
}

function Fields({ fields }: { fields: TextObject[] }) {
  return (
    <ul className="fields">
      <Each of={fields}>
        {(field) => (
          <li>
            <TextObjectText text={field} />
          </li>
        )}
      </Each>
    </ul>
  );
}

function firstLine(text: string): string | undefined {
  return text.replace(/[*_~`]/g, '').split('\n', 1)[0];
}
