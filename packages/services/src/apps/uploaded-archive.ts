/** An archive that has arrived as a whole, wherever it lies. */
export interface UploadedArchive {
  bytes: number;
  /** Hex. */
  sha256: string;
  /** Fills `into` with what stands from `position` on. Rejects where that is not all there. */
  read(into: Uint8Array, position: number): Promise<void>;
}
