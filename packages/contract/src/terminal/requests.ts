import { z } from 'zod';

const characters = z.coerce.number().int().min(2).max(1_000);

/** Query of the WebSocket of a terminal. `session`: a random name that the page chose, to find its session again. */
export const terminalRequest = z.object({
  session: z.string().regex(/^[0-9a-f]{32}$/),
  columns: characters,
  rows: characters,
});
export type TerminalRequest = z.infer<typeof terminalRequest>;

/** A text message of the page: everything that is no key. `close`: the tab was closed, so nobody comes back. */
export const terminalControl = z.discriminatedUnion('type', [
  z.object({ type: z.literal('size'), columns: characters, rows: characters }),
  z.object({ type: z.literal('close') }),
]);
