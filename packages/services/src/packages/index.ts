export { assignPackage } from './assign-package.ts';
export { createPackage } from './create-package.ts';
export { getPackage } from './get-package.ts';
export { getPackageDetails } from './get-package-details.ts';
export { listAllPackages } from './list-all-packages.ts';
export { listPackages } from './list-packages.ts';
export type { OperatorPackageView } from './package-view.ts';
export { updatePackage } from './update-package.ts';
