import {
  type FolderTree,
  joinWirePath,
  shownWirePath,
  type WirePath,
  wireNameAtEnd,
} from '@innkeeper/domain';
import { useTexts } from '../../language/use-texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { filePages } from './files.ts';
import { fileTexts } from './texts/index.ts';

/** The folders on the way to the shown one, and those beside them. */
export function FolderTreeNav({ tree: { levels } }: { tree: FolderTree }) {
  const texts = useTexts(fileTexts);
  const shown = levels.at(-1)?.path ?? '';
  const level = (at: number) => {
    const found = levels[at];
    if (found === undefined || found.folders.length === 0) return null;
    return (
      <ul>
        {found.folders.map((name) => {
          const path = joinWirePath(found.path, name);
          const isOnWay = path === shown || shown.startsWith(`${path}/`);
          // The state of the file manager itself, and other programs' own.
          if (name.startsWith('.') && !isOnWay) return null;
          return (
            <li>
              <FolderLink path={path} isOpen={isOnWay} isShown={path === shown} />
              {isOnWay ? level(at + 1) : null}
            </li>
          );
        })}
      </ul>
    );
  };
  return (
    <nav class="fm-tree" aria-label={texts.folders}>
      <ul>
        <li>
          <FolderLink path="" isOpen isShown={shown === ''} />
          {level(0)}
        </li>
        <li>
          <a href="/files/trash">
            <Icon name="trash-2" />
            {texts.trash}
          </a>
        </li>
      </ul>
    </nav>
  );
}

function FolderLink({ path, isOpen, isShown }: { path: WirePath; isOpen: boolean; isShown: boolean }) {
  const texts = useTexts(fileTexts);
  return (
    <a href={filePages.browse(path)} aria-current={isShown ? 'true' : undefined}>
      <Icon name={isOpen ? 'folder-open' : 'folder'} />
      <span class="cut">{path === '' ? texts.home : shownWirePath(wireNameAtEnd(path))}</span>
    </a>
  );
}

/** The path of the shown folder: on a phone it replaces the tree. */
export function PathNav({ path }: { path: WirePath }) {
  const texts = useTexts(fileTexts);
  const names = path === '' ? [] : path.split('/');
  return (
    <nav class="path" aria-label={texts.path}>
      <a href={filePages.browse('')} aria-current={path === '' ? 'page' : undefined}>
        {texts.home}
      </a>
      {names.map((name, at) => (
        <>
          <Icon name="next" />
          <a
            href={filePages.browse(names.slice(0, at + 1).join('/'))}
            aria-current={at === names.length - 1 ? 'page' : undefined}
          >
            {shownWirePath(name)}
          </a>
        </>
      ))}
    </nav>
  );
}
