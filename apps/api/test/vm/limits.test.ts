import { proveLimits } from './limits.ts';

proveLimits('debian12');
