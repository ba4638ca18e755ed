import type { TableBlock } from '@slack/types';
import { RichText } from './rich-text.tsx';

type Cell = TableBlock['rows'][number][number];

export function TableBlockBody({ block }: { block: TableBlock }) {
  const [head = [], ...rows] = block.rows;
  const align = (column: number) => block.column_settings?.[column]?.align ?? 'left';
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: cells have no ids
            <th key={column} scope="col" data-align={align(column)}>
              <CellBody cell={cell} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, rowIndex) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <tr key={rowIndex}>
            {row.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <td key={column} data-align={align(column)}>
                <CellBody cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CellBody({ cell }: { cell: Cell }) {
  return cell.type === 'rich_text' ? <RichText block={cell} /> : cell.text;
}
