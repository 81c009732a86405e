import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');

/** Programs of attackers, in Perl, which every hosting server has. They run as a tenant. */
export const EXCHANGE_WHEN_READ = read('exchange-when-read.pl');
export const FILL_FOLDER = read('fill-folder.pl');
export const ATTACK = read('attack.pl');
