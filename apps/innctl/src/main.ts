import { runInnctl } from './program.ts';
import { processTerminal } from './terminal.ts';

process.exitCode = await runInnctl(process.argv.slice(2), processTerminal, process.env);
