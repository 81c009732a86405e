export { ensureKeyFolder, type KeyFolderOptions, type KeyFolderResult } from './ensure-key-folder.ts';
export {
  type ControlPlaneKeys,
  readCaFingerprint,
  readKeyFolder,
  readNatsCredentials,
  readSealingKeys,
  type SealingKeys,
} from './read-key-folder.ts';
