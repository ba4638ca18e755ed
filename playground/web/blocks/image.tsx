import type { ImageBlock, ImageElement } from '@slack/types';
import { plainText } from '../mrkdwn/text-object.tsx';

export function ImageBlockBody({ block }: { block: ImageBlock }) {
  return (
    <figure className="image-block">
      {block.title && <figcaption>{plainText(block.title)}</figcaption>}
      <Picture url={urlOf(block)} alternative={block.alt_text} />
    </figure>
  );
}

export function ImageElementBody({ image }: { image: ImageElement }) {
  return (
    <span className="image-element">
      <Picture url={urlOf(image)} alternative={image.alt_text} />
    </span>
  );
}

/** The page loads nothing from other hosts, so images there are replaced by their description. */
function Picture({ url, alternative }: { url: string | undefined; alternative: string }) {
  if (url?.startsWith('data:image/')) return <img src={url} alt={alternative} />;
  return (
    <span className="image-stand-in" role="img" aria-label={alternative}>
      {alternative}
    </span>
  );
}

function urlOf(image: ImageBlock | ImageElement): string | undefined {
  if ('image_url' in image) return image.image_url;
  return 'url' in image.slack_file ? image.slack_file.url : undefined;
}
