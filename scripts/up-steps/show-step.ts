import type { ShowStep } from '@innkeeper/testkit/machine';

const NAME_WIDTH = 46;

/**
 * Shows a line on standard output for each step. On a terminal the line is rewritten; elsewhere each note is a new
 * line.
 */
export const showStep: ShowStep = (name) => {
  const { stdout } = process;
  const head = `  ${name.padEnd(NAME_WIDTH)} `;
  const erase = '\r\x1b[K';
  let broken = false;
  stdout.write(head);
  return {
    note: (words) => {
      if (stdout.isTTY) stdout.write(`${erase}${head}${words}`);
      else {
        stdout.write(`${broken ? '' : '\n'}      ${words}\n`);
        broken = true;
      }
    },
    end: (outcome, seconds) => {
      const words = outcome === 'ok' ? `ok  ${seconds.toFixed(1)} s` : outcome;
      if (stdout.isTTY) stdout.write(`${erase}${head}${words}\n`);
      else stdout.write(broken ? `${head}${words}\n` : `${words}\n`);
    },
  };
};
