import { proveFaults } from './faults.ts';

proveFaults('debian12');
