/** Why an archive cannot be unpacked, as a sentence for its owner. */
export class ArchiveFailure extends Error {
  override name = 'ArchiveFailure';
}
