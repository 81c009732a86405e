import { assetPath } from '../assets/register-assets.ts';
import { Icon, type IconName } from './icon.tsx';

/** Marks in `assets/app-marks.svg`, by the `icon` of a template, with the color of their tile. */
const marks: Readonly<Record<string, string>> = {
  wordpress: 'c2',
  nodejs: 'c3',
  static: 'c4',
  php: 'c5',
};

/** The tile of an app. A template with an icon of its own that the panel does not have gets a general one. */
export function AppMark({ icon, instead = 'package' }: { icon: string; instead?: IconName }) {
  const color = Object.hasOwn(marks, icon) ? marks[icon] : undefined;
  if (color === undefined)
    return (
      <span class="tile">
        <Icon name={instead} />
      </span>
    );
  return (
    <span class={`tile ${color}`}>
      <svg class="mark" aria-hidden="true">
        <use href={`${assetPath('app-marks.svg')}#${icon}`} />
      </svg>
    </span>
  );
}
