/** A completely received archive, wherever it is stored. */
export interface UploadedArchive {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** Fills `into` with the bytes from `position` on. Rejects if the archive ends before that. */
  read(into: Uint8Array, position: number): Promise<void>;
}
