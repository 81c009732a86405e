export { ensureKeyFolder, type KeyFolderOptions, type KeyFolderResult } from './ensure-key-folder.ts';
export { keyFolderPaths } from './layout.ts';
export {
  type ControlPlaneKeys,
  type RevokeNatsUsers,
  readCaFingerprint,
  readKeyFolder,
  readNatsCredentials,
  readNatsRevoker,
  readSealingKeys,
  type SealingKeys,
} from './read-key-folder.ts';
