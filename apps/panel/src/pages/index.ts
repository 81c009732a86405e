import type { Panel } from '../env.ts';
import { registerHome } from './home/register.tsx';
import { registerSignIn } from './sign-in/register.tsx';

/** Every page of the panel. */
export function registerPages(panel: Panel): void {
  registerSignIn(panel);
  registerHome(panel);
}
