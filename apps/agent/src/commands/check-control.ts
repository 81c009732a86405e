import { checkControl } from '../control-plane/check-control.ts';

/** Prints a line for each finding: status, name and sentence, with tabs between them. For the installer. */
export async function showControlCheck(
  control: string | undefined,
  joinToken: string | undefined,
  write: (text: string) => void,
): Promise<number> {
  const findings = await checkControl(control, joinToken);
  for (const { status, name, sentence } of findings) write(`${status}\t${name}\t${sentence}\n`);
  return 0;
}
