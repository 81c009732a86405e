import { homePath, siteFolder } from '@innkeeper/domain';
import type { AccountSpec } from '@innkeeper/protocol';
import { conflict } from '../../node/host-error.ts';
import { observeClaim, ownerOf } from '../claim.ts';
import type { Change, Driver } from '../driver.ts';
import type { HomeState } from './host.ts';

interface HomeObserved {
  readonly home: HomeState;
  /** Wanted paths below the home that do not exist. */
  readonly missing: readonly string[];
  /** Whether the units' folders of temporary files are right. */
  readonly tmpRight: boolean;
  readonly uidIsForeign: boolean;
}

type HomeChange = Change &
  (
    | { readonly kind: 'create' | 'create-tmp' | 'repair-access' | 'remove' }
    | { readonly kind: 'create-folders'; readonly paths: readonly string[]; readonly mode: '0700' | '0755' }
    | { readonly kind: 'create-document-root'; readonly path: string }
  );

const PRIVATE_FOLDERS = ['logs', '.php/sessions', '.php/tmp'];
const OPEN_FOLDERS = ['domains'];

/**
 * The home, a folder of temporary files beside it, the folders that PHP needs in the home, and a document root for each
 * domain with a site of its own. A removed domain leaves its files.
 */
export const homeDriver: Driver<HomeObserved, HomeChange> = {
  name: 'home',
  buildsOn: ['user'],
  worksInHome: true,

  async observe(spec, host) {
    const owner = ownerOf(spec);
    const [home, tmpRight, { uidIsForeign }] = await Promise.all([
      host.homes.observe(owner),
      host.tmp.isRight(owner),
      observeClaim(spec, host),
    ]);
    const isWanted = spec.desired_state !== 'absent' && home.kind === 'ours';
    const missing = isWanted ? await host.homes.missing(owner, wantedPaths(spec)) : [];
    return { home, missing, tmpRight, uidIsForeign };
  },

  plan(spec, { home, missing, tmpRight, uidIsForeign }) {
    const path = homePath(spec.linux_user);
    if (spec.desired_state === 'absent') {
      const isLeft = !uidIsForeign && (home.kind === 'ours' || home.leftovers.length > 0);
      return isLeft ? [{ kind: 'remove', summary: `remove ${path}` }] : [];
    }
    if (home.kind === 'foreign') throw conflict(`${path} exists and is not a folder of uid ${spec.uid}.`);
    const tmp: HomeChange[] = tmpRight
      ? []
      : [{ kind: 'create-tmp', summary: 'make the folder of temporary files' }];
    if (home.kind === 'missing')
      return [{ kind: 'create', summary: `make ${path}` }, ...tmp, ...contentOf(spec, wantedPaths(spec))];
    const access: HomeChange[] = home.accessRight
      ? []
      : [{ kind: 'repair-access', summary: `set group and mode of ${path}` }];
    return [...access, ...tmp, ...contentOf(spec, missing)];
  },

  async apply(change, spec, host) {
    const owner = ownerOf(spec);
    switch (change.kind) {
      case 'create':
        return host.homes.create(owner);
      case 'create-tmp':
        return host.tmp.make(owner);
      case 'repair-access':
        return host.homes.repairAccess(owner);
      case 'create-folders':
        return host.homes.createFolders(owner, change.paths, change.mode);
      case 'create-document-root':
        return host.homes.createDocumentRoot(owner, change.path);
      case 'remove':
        return host.homes.remove(owner);
    }
  },
};

function documentRoots(spec: AccountSpec): string[] {
  return spec.domains
    .filter((domain) => domain.desired_state === 'active' && domain.alias_of === null)
    .map((domain) => siteFolder(domain.name));
}

function wantedPaths(spec: AccountSpec): string[] {
  return [...OPEN_FOLDERS, ...PRIVATE_FOLDERS, ...documentRoots(spec)];
}

function contentOf(spec: AccountSpec, missing: readonly string[]): HomeChange[] {
  const wanted = new Set(missing);
  const folders = (paths: readonly string[], mode: '0700' | '0755'): HomeChange[] => {
    const some = paths.filter((path) => wanted.has(path));
    return some.length === 0
      ? []
      : [{ kind: 'create-folders', paths: some, mode, summary: `make ${some.join(', ')}` }];
  };
  return [
    ...folders(OPEN_FOLDERS, '0755'),
    ...folders(PRIVATE_FOLDERS, '0700'),
    ...documentRoots(spec)
      .filter((path) => wanted.has(path))
      .map((path) => ({ kind: 'create-document-root' as const, path, summary: `make ${path}` })),
  ];
}
