import { assetPath } from '../assets/register-assets.ts';

/** A symbol of `assets/icons.svg`. */
export type IconName =
  | 'arrow-left'
  | 'bad'
  | 'busy'
  | 'calendar-clock'
  | 'check'
  | 'chevrons-up-down'
  | 'circle'
  | 'clock'
  | 'copy'
  | 'database'
  | 'download'
  | 'file'
  | 'file-archive'
  | 'file-code'
  | 'file-plus'
  | 'folder'
  | 'folder-open'
  | 'folder-plus'
  | 'git-branch'
  | 'globe'
  | 'good'
  | 'headset'
  | 'history'
  | 'house'
  | 'image'
  | 'info'
  | 'key-round'
  | 'link'
  | 'lock'
  | 'log-in'
  | 'log-out'
  | 'mail'
  | 'menu'
  | 'more'
  | 'next'
  | 'open'
  | 'package'
  | 'pause'
  | 'pencil'
  | 'plus'
  | 'rocket'
  | 'search'
  | 'server'
  | 'shield-check'
  | 'store'
  | 'tag'
  | 'terminal'
  | 'trash-2'
  | 'undo-2'
  | 'upload'
  | 'users'
  | 'warn';

/** A decorative icon: the text beside it has the meaning. The browser loads the file of all icons once. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" aria-hidden="true">
      <use href={`${assetPath('icons.svg')}#${name}`} />
    </svg>
  );
}

/** The product's mark, in the brand's color. */
export function Logo() {
  return (
    <svg class="brand-logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect class="logo-back" width="32" height="32" />
      <path class="logo-house" d="M6.5 15.2 16 7l9.5 8.2V25a1 1 0 0 1-1 1h-17a1 1 0 0 1-1-1z" />
      <path class="logo-light" d="M13 26v-6.5a3 3 0 0 1 6 0V26z" />
    </svg>
  );
}
